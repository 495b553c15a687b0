from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import pytest

from agentctl.domain.model import Model
from agentctl.errors import ConfigError
from agentctl.providers.base import ToolSchema
from agentctl.providers.openai_chat.body import build_body
from agentctl.providers.openai_chat.options import ChatOptions, read_options
from agentctl.providers.wire.endpoint import find_endpoint
from agentctl.providers.wire.refused import find_refused
from agentctl.providers.wire.requester import encode_body
from tests.providers.asking import make_request

TOOL = ToolSchema("get", "Gets it.", {"type": "object", "properties": {}})


def build(
    options: dict[str, Any] | None = None, refused: Collection[str] = (), **request: Any
) -> dict[str, Any]:
    return build_body(make_request(**request), read_options(options or {}), refused)


def test_a_plain_request_asks_for_a_stream_with_usage() -> None:
    assert build() == {
        "model": "m",
        "messages": [{"role": "user", "content": "Hello?"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_tools_are_functions_and_plain_text_has_none() -> None:
    assert build(tools=(TOOL,))["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "get",
                "description": "Gets it.",
                "parameters": {"type": "object", "properties": {}},
            },
        }
    ]
    assert "tools" not in build(tools=(TOOL,), purpose="text")


def test_parameters_are_sent_as_they_are_and_null_takes_one_away() -> None:
    body = build({"temperature": 0, "top_k": 5, "seed": None, "stream_options": None})
    assert (body["temperature"], body["top_k"]) == (0, 5)
    assert body.keys().isdisjoint({"seed", "stream_options"})


def test_the_limit_is_sent_under_the_name_the_provider_knows() -> None:
    assert build({"max_tokens": 5})["max_tokens"] == 5
    body = build({"max_tokens": 5, "max_tokens_field": "max_completion_tokens"})
    assert body["max_completion_tokens"] == 5
    assert body.keys().isdisjoint({"max_tokens", "max_tokens_field"})


def test_a_limit_that_was_refused_is_tried_under_the_other_name() -> None:
    assert build({"max_tokens": 5}, {"max_tokens"})["max_completion_tokens"] == 5
    assert (
        build({"max_tokens": 5, "max_tokens_field": "max_completion_tokens"}, {"max_completion_tokens"})[
            "max_tokens"
        ]
        == 5
    )
    both = build({"max_tokens": 5}, {"max_tokens", "max_completion_tokens"})
    assert both.keys().isdisjoint({"max_tokens", "max_completion_tokens"})


def test_what_was_refused_is_not_sent_again() -> None:
    assert "temperature" not in build({"temperature": 1}, {"temperature"})
    assert "stream_options" not in build({}, {"stream_options"})


def test_thinking_sends_what_the_provider_wants_for_it() -> None:
    options = {"thinking_on": {"effort": "high"}, "thinking_off": {"effort": "none"}}
    assert build(options, thinking=True)["effort"] == "high"
    assert build(options)["effort"] == "none"
    assert build(options, thinking=True, purpose="text")["effort"] == "none"
    assert build({**options, "effort": "low"}, thinking=True)["effort"] == "low"


def test_an_effort_is_sent_only_when_thinking_is_wanted() -> None:
    options = {"thinking_effort": "high", "thinking_budget": 2000}
    assert build(options, thinking=True)["reasoning_effort"] == "high"
    assert build(options).keys().isdisjoint({"reasoning_effort", *options})
    assert "reasoning_effort" not in build(thinking=True)


SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


def test_a_schema_is_sent_in_the_form_of_the_protocol() -> None:
    body = build(schema=SCHEMA)
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    }
    assert [message["role"] for message in body["messages"]] == ["user"]


def test_a_schema_that_is_not_strict_is_not_sent_as_strict() -> None:
    body = build(schema={"type": "object", "properties": {"name": {"type": "string"}}})
    assert body["response_format"]["json_schema"].keys() == {"name", "schema"}


def test_a_schema_is_asked_for_in_words_where_the_option_says_so_or_the_server_refused_it() -> None:
    for body in (
        build({"structured_output": "prompt"}, schema=SCHEMA, system="Be brief."),
        build({}, {"response_format"}, schema=SCHEMA, system="Be brief."),
    ):
        assert "response_format" not in body
        system = body["messages"][0]
        assert system["role"] == "system"
        assert system["content"].startswith("Be brief.\n\n")
        assert json.dumps(SCHEMA, separators=(",", ":")) in system["content"]


@pytest.mark.parametrize(
    ("options", "model_limit", "max_output", "sent"),
    [
        ({}, None, 7, {"max_tokens": 7}),
        ({}, 5, 7, {"max_tokens": 5}),
        ({"max_tokens": 3}, 5, 7, {"max_tokens": 3}),
        ({"max_tokens": 9}, None, 7, {"max_tokens": 7}),
        ({"max_tokens": None}, 5, None, {}),
        ({"max_tokens": None}, 5, 7, {"max_tokens": 7}),
        ({"max_completion_tokens": 9}, None, 7, {"max_completion_tokens": 7}),
        ({"max_completion_tokens": 9}, None, None, {"max_completion_tokens": 9}),
        ({"max_tokens_field": "max_completion_tokens"}, None, 7, {"max_completion_tokens": 7}),
    ],
)
def test_the_least_of_all_limits_is_sent(
    options: dict[str, Any], model_limit: int | None, max_output: int | None, sent: dict[str, int]
) -> None:
    model = Model("m", "mine", "m", max_output_tokens=model_limit)
    body = build(options, model=model, max_output=max_output)
    assert {name: value for name, value in body.items() if name.startswith("max_")} == sent


def test_what_a_known_model_keeps_to_by_itself_is_not_sent() -> None:
    model = Model("m", "mine", "m", max_output_tokens=100, assumed=frozenset({"max_output_tokens"}))
    assert "max_tokens" not in build({}, model=model, max_output=100)
    assert build({}, model=model, max_output=60)["max_tokens"] == 60


def test_half_pairs_are_replaced_and_everything_else_is_plain_utf_8() -> None:
    body = encode_body(build(text="你好 \ud83d\ude00 \ud83d"))
    assert json.loads(body.decode())["messages"][0]["content"] == "你好 \U0001f600 \ufffd"
    assert "你好".encode() in body


def test_later_options_are_stronger() -> None:
    options = read_options({"think_tags": True, "top_p": 1}, {}, {"think_tags": False, "top_p": 2})
    assert options == ChatOptions(think_tags=False, parameters={"top_p": 2})


def test_null_brings_an_option_back_to_its_default() -> None:
    options = read_options({"think_tags": True, "thinking_on": {}}, {"think_tags": None, "thinking_on": None})
    assert options == ChatOptions()


@pytest.mark.parametrize(
    "options",
    [
        {"think_tags": "yes"},
        {"short_call_ids": 1},
        {"replay_reasoning": "some"},
        {"max_tokens_field": ""},
        {"thinking_on": []},
        {"thinking_effort": 3},
        {"thinking_budget": "many"},
        {"thinking_budget": 0},
        {"structured_output": True},
        {"stream": False},
        {"messages": []},
        {"n": 2},
    ],
)
def test_an_option_that_makes_no_sense_is_named(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=f"option {next(iter(options))}"):
        read_options(options)


@pytest.mark.parametrize(
    ("base_url", "endpoint"),
    [
        ("https://host", "https://host/v1/chat/completions"),
        ("https://host/", "https://host/v1/chat/completions"),
        ("https://host/v1", "https://host/v1/chat/completions"),
        ("https://host/v1/", "https://host/v1/chat/completions"),
        ("https://host//v1//", "https://host/v1/chat/completions"),
        (" https://host/v1/chat/completions ", "https://host/v1/chat/completions"),
        ("https://host/v1/chat/completions/", "https://host/v1/chat/completions"),
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/chat/completions"),
        ("http://[::1]:8080", "http://[::1]:8080/v1/chat/completions"),
        ("https://host/v1beta/openai", "https://host/v1beta/openai/chat/completions"),
        ("https://host/api/v1", "https://host/api/v1/chat/completions"),
        ("https://host/d/x?version=1", "https://host/d/x/chat/completions?version=1"),
        ("https://host/v1/chat/completions?version=1", "https://host/v1/chat/completions?version=1"),
    ],
)
def test_a_base_url_may_be_written_in_any_way(base_url: str, endpoint: str) -> None:
    assert find_endpoint(base_url, "/chat/completions") == endpoint


@pytest.mark.parametrize(
    "base_url", ["", "host/v1", "localhost:8080", "ftp://host", "http://", "http://[x", "http://h:x"]
)
def test_a_base_url_that_is_none_is_refused(base_url: str) -> None:
    with pytest.raises(ConfigError, match="base_url"):
        find_endpoint(base_url, "/chat/completions")


SENT = {
    "model",
    "messages",
    "stream",
    "stream_options",
    "tools",
    "temperature",
    "max_tokens",
    "top_p",
    "response_format",
}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"error": {"code": "unsupported_parameter", "param": "max_tokens", "message": "no"}}, "max_tokens"),
        ({"error": {"code": "unsupported_value", "param": "temperature", "message": "no"}}, "temperature"),
        (
            {"error": {"code": "unknown_parameter", "param": "stream_options.x", "message": "no"}},
            "stream_options",
        ),
        ({"error": {"message": "Unrecognized request argument supplied: stream_options"}}, "stream_options"),
        ({"error": {"message": "Unsupported parameter: 'top_p'", "param": None, "code": None}}, "top_p"),
        ({"code": "Bad", "error": "Model m does not support parameter streamOptions."}, "stream_options"),
        ({"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"]}]}, "stream_options"),
        (
            {"message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"]}]}},
            "stream_options",
        ),
        ({"error": {"code": "unsupported_parameter", "param": "messages[0].role", "message": "no"}}, None),
        ({"error": {"code": "unsupported_parameter", "param": "tools", "message": "no"}}, None),
        ({"error": {"code": "unsupported_parameter", "param": "seed", "message": "no"}}, None),
        ({"error": {"message": "temperature must be at most 2"}}, None),
        ({"error": {"message": "this model does not support tools"}}, None),
        ({"error": {"message": "unknown model"}}, None),
        (
            {
                "error": {
                    "message": "Invalid schema for response_format 'answer': ...",
                    "param": "response_format",
                }
            },
            "response_format",
        ),
        ({"error": {"message": "This response_format type is unavailable now"}}, "response_format"),
        (
            [{"error": {"message": "Function calling with a response mime type is unsupported"}}],
            "response_format",
        ),
        ("stream_options is not supported", None),
        (None, None),
    ],
)
def test_a_refused_parameter_is_found_by_its_name(body: Any, name: str | None) -> None:
    assert find_refused(400, body, SENT) == name
    assert find_refused(422, body, SENT) == name
    assert find_refused(500, body, SENT) is None
