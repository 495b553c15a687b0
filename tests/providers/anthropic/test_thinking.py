from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from agentctl.domain.model import Provider
from agentctl.providers.anthropic.adapter import AnthropicAdapter
from agentctl.providers.anthropic.body import build_body
from agentctl.providers.anthropic.options import read_options
from agentctl.providers.base import Notice, Runtime
from tests.loopback import Received, Response, Server, json_body
from tests.providers.anthropic.streams import ask_for, frame, said
from tests.providers.asking import make_request

Body = Mapping[str, Any]


def build(options: dict[str, Any] | None = None, refused: tuple[str, ...] = (), **request: Any) -> Body:
    return build_body(make_request(**{"thinking": True, **request}), read_options(options or {}), refused)


def test_a_model_thinks_as_it_sees_fit_and_tells_us() -> None:
    body = build()
    assert body["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert "output_config" not in body
    assert build({"thinking_effort": "high"})["output_config"] == {"effort": "high"}
    assert build({"thinking_effort": "minimal"})["output_config"] == {"effort": "low"}


@pytest.mark.parametrize(
    ("options", "budget", "max_tokens"),
    [
        ({"thinking_budget": 2000}, 2000, 18000),
        ({"thinking_budget": 10}, 1024, 17024),
        ({"thinking_form": "budget"}, 8192, 24192),
        ({"thinking_form": "budget", "thinking_effort": "low"}, 2048, 18048),
        ({"thinking_form": "budget", "thinking_effort": "strange"}, 8192, 24192),
        ({"thinking_budget": 50_000, "max_tokens": 4000}, 3000, 4000),
        ({"thinking_budget": 2000, "max_tokens": 4000}, 2000, 4000),
    ],
)
def test_a_budget_is_large_enough_and_leaves_something_for_the_answer(
    options: dict[str, Any], budget: int, max_tokens: int
) -> None:
    body = build(options)
    assert (body["thinking"], body["max_tokens"]) == (
        {"type": "enabled", "budget_tokens": budget},
        max_tokens,
    )
    assert "output_config" not in body


def test_a_limit_that_has_no_room_for_thoughts_turns_them_off() -> None:
    body = build({"thinking_budget": 2000}, max_output=1200)
    assert (body["max_tokens"], "thinking" in body) == (1200, False)


def test_what_the_protocol_forbids_to_a_thinking_model_is_not_sent() -> None:
    options = {"temperature": 0.2, "top_k": 5, "top_p": 0.5, "tool_choice": {"type": "any"}, "metadata": {}}
    assert build(options).keys().isdisjoint({"temperature", "top_k", "top_p", "tool_choice"})
    assert build(options, thinking=False).items() >= options.items()
    assert build({"top_p": 0.97, "tool_choice": {"type": "auto"}}).keys() >= {"top_p", "tool_choice"}


def test_switching_thoughts_off_is_up_to_an_option() -> None:
    options = {"thinking_off": {"thinking": {"type": "disabled"}}, "temperature": 0}
    off = build(options, thinking=False)
    assert (off["thinking"], off["temperature"]) == ({"type": "disabled"}, 0)
    assert build(options, purpose="text")["thinking"] == {"type": "disabled"}
    assert build(options)["thinking"]["type"] == "adaptive"
    assert "thinking" not in build(thinking=False)


def test_a_parameter_of_the_users_own_is_the_strongest() -> None:
    body = build({"thinking": {"type": "enabled", "budget_tokens": 1500}, "output_config": {"effort": "max"}})
    assert body["thinking"]["budget_tokens"] == 1500
    assert body["output_config"] == {"effort": "max"}


def refusing(*words: str) -> Callable[[Received], Response]:
    """A model that takes no request in which one of these holds: `key=value` of thinking, or a member."""

    def serve(request: Received) -> Response:
        body = request.json
        kind = body.get("thinking", {}).get("type")
        messages = {
            "adaptive": "adaptive thinking is not supported on this model",
            "enabled": '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive"'
            ' and "output_config.effort" to control thinking behavior.',
            "effort": "This model does not support the effort parameter.",
            "format": "output_config.format: structured outputs are not supported on this model",
        }
        for word in words:
            if word == kind or word in body.get("output_config", {}):
                error = {"type": "invalid_request_error", "message": messages[word]}
                return json_body({"type": "error", "error": error}, 400)
        return Response(frame(*said("ok")))

    return serve


@pytest.mark.parametrize(
    ("refused", "options", "kinds"),
    [
        (("adaptive",), {}, ["adaptive", "enabled"]),
        (("enabled",), {"thinking_budget": 3000}, ["enabled", "adaptive"]),
        (("adaptive", "enabled"), {}, ["adaptive", "enabled", None]),
        (("effort",), {"thinking_effort": "low"}, ["adaptive", "adaptive"]),
        (("effort", "adaptive"), {"thinking_effort": "low"}, ["adaptive", "adaptive", "enabled"]),
    ],
)
def test_a_form_that_a_model_refuses_is_replaced_by_the_other(
    refused: tuple[str, ...], options: dict[str, Any], kinds: list[str | None], runtime: Runtime
) -> None:
    with Server(refusing(*refused)) as server:
        adapter = AnthropicAdapter(Provider("mine", "anthropic", server.url), runtime)
        request = make_request(thinking=True, options=options)

        async def ask_twice() -> list[list[Any]]:
            answers = [[item async for item in adapter.stream(request)] for _ in range(2)]
            await adapter.close()
            return answers

        first, second = asyncio.run(ask_twice())
    assert first[-1].text == second[-1].text == "ok"
    assert [type(item) for item in first[:-2]] == [Notice] * (len(kinds) - 1)
    sent = [request.json.get("thinking", {}).get("type") for request in server.requests]
    # The second request knows what the first one learned.
    assert sent == [*kinds, kinds[-1]]


def test_a_budget_becomes_an_effort_where_only_that_is_understood(runtime: Runtime) -> None:
    with Server(refusing("enabled")) as server:
        adapter = AnthropicAdapter(Provider("mine", "anthropic", server.url), runtime)

        async def ask() -> None:
            options = {"thinking_budget": 2048}
            assert [item async for item in adapter.stream(make_request(thinking=True, options=options))]
            await adapter.close()

        asyncio.run(ask())
    assert server.requests[-1].json["output_config"] == {"effort": "low"}


def test_requests_side_by_side_learn_one_thing_once(runtime: Runtime) -> None:
    with Server(refusing("adaptive")) as server:
        adapter = AnthropicAdapter(Provider("mine", "anthropic", server.url), runtime)

        async def ask() -> str:
            items = [item async for item in adapter.stream(make_request(thinking=True))]
            return str(items[-1].text)  # type: ignore[union-attr]

        async def ask_all() -> list[str]:
            texts = list(await asyncio.gather(*(ask() for _ in range(8))))
            await adapter.close()
            return texts

        assert asyncio.run(ask_all()) == ["ok"] * 8
    kinds = [request.json["thinking"]["type"] for request in server.requests]
    assert kinds.count("enabled") == 8


def test_a_schema_that_is_refused_moves_into_the_prompt_and_the_effort_stays(runtime: Runtime) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    request = make_request(schema=schema, thinking=True, options={"thinking_effort": "low"})
    items = ask_for(refusing("format"), runtime, request)
    assert [item for item in items if isinstance(item, Notice)] == [
        Notice("parameter", "m does not take output_config.format; asking without it")
    ]
    body = build({"thinking_effort": "low"}, ("output_config.format",), schema=schema)
    assert body["output_config"] == {"effort": "low"}
    assert "JSON Schema" in body["system"]
    assert "output_config" not in build({"thinking_effort": "low"}, ("output_config",), schema=schema)
