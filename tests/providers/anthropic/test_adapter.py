from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.model import Model, Provider
from agentctl.errors import ConfigError, CredentialsError
from agentctl.providers import BUILT_IN
from agentctl.providers.anthropic.adapter import AnthropicAdapter
from agentctl.providers.attempts import stream_with_retries
from agentctl.providers.base import Fault, Reply, Runtime
from tests.loopback import Response, Server, json_body
from tests.providers.anthropic.streams import frame, said
from tests.providers.asking import collect, make_request, make_runtime

KEY = "sk-ant-test-0123456789"


def ask(answer: Response, runtime: Runtime, **provider: Any) -> tuple[Server, Reply]:
    with Server(answer) as server:
        adapter = AnthropicAdapter(Provider("mine", "anthropic", server.url, **provider), runtime)
        reply = collect(adapter, make_request())[-1]
    assert isinstance(reply, Reply)
    return server, reply


def failed(answer: Response, runtime: Runtime, **provider: Any) -> Fault:
    fault = ask(answer, runtime, **provider)[1].fault
    assert fault is not None
    return fault


def refusal(kind: str, message: str, status: int) -> Response:
    return json_body({"type": "error", "error": {"type": kind, "message": message}}, status)


def test_the_key_and_the_version_go_along_in_headers_of_their_own(tmp_path: Path) -> None:
    runtime = make_runtime(tmp_path, {"MY_KEY": f"{KEY}\n"})
    server, reply = ask(Response(frame(*said("Hi"))), runtime, api_key_env="MY_KEY")
    assert reply.text == "Hi"
    (request,) = server.requests
    assert (request.method, request.target) == ("POST", "/v1/messages")
    assert request.headers["x-api-key"] == KEY
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in request.headers


def test_headers_of_the_provider_are_stronger(runtime: Runtime) -> None:
    headers = {"Anthropic-Version": "2099-01-01", "anthropic-beta": "a,b"}
    server, _ = ask(Response(frame(*said("Hi"))), runtime, headers=headers)
    sent = server.requests[0].headers
    assert (sent["anthropic-version"], sent["anthropic-beta"]) == ("2099-01-01", "a,b")


def test_a_provider_without_a_base_url_is_anthropic_with_its_key(runtime: Runtime) -> None:
    adapter = AnthropicAdapter(Provider("mine", "anthropic"), runtime)
    assert adapter.default_base_url == BUILT_IN["anthropic"].base_url == "https://api.anthropic.com/v1"
    with pytest.raises(CredentialsError, match="ANTHROPIC_API_KEY"):
        adapter.check(Model("m", "mine", "m"))


def test_a_wrong_option_is_named_before_anything_is_sent(runtime: Runtime) -> None:
    adapter = AnthropicAdapter(Provider("mine", "anthropic", "http://localhost:9"), runtime)
    for options in (
        {"thinking_form": "loud"},
        {"max_tokens": 0},
        {"server_tools": ["web_search"]},
        {"prompt_cache": "yes"},
        {"thinking_off": True},
        {"system": "x"},
    ):
        with pytest.raises(ConfigError, match=f"option {next(iter(options))}"):
            adapter.check(Model("m", "mine", "m", options=options))


def test_a_refused_key_names_its_variable_and_never_itself(tmp_path: Path) -> None:
    runtime = make_runtime(tmp_path, {"MY_KEY": KEY})
    answer = refusal("authentication_error", f"invalid x-api-key {KEY}", 401)
    fault = failed(answer, runtime, api_key_env="MY_KEY")
    assert (fault.kind, fault.retryable) == ("credentials", False)
    assert "MY_KEY" in fault.message
    assert KEY not in fault.message


@pytest.mark.parametrize(
    ("kind", "message", "status", "expected"),
    [
        ("overloaded_error", "Overloaded", 529, ("temporary", "overloaded_error", True)),
        ("overloaded_error", "Overloaded", 400, ("temporary", "overloaded_error", True)),
        ("rate_limit_error", "slow down", 429, ("temporary", "rate_limit_error", True)),
        ("api_error", "boom", 500, ("temporary", "api_error", True)),
        ("invalid_request_error", "no", 400, ("provider", "invalid_request_error", False)),
        ("not_found_error", "model: m", 404, ("provider", "not_found_error", False)),
        ("invalid_request_error", "prompt is too long: 9 > 8", 400, ("provider", "context_overflow", False)),
        ("invalid_request_error", "Your credit balance is too low", 400, ("credentials", "quota", False)),
    ],
)
def test_refusals_are_sorted(
    kind: str, message: str, status: int, expected: tuple[str, str, bool], runtime: Runtime
) -> None:
    fault = failed(refusal(kind, message, status), runtime)
    assert (fault.kind, fault.type, fault.retryable, fault.status) == (*expected, status)
    assert message in fault.message


def test_a_404_names_the_url_that_was_asked(runtime: Runtime) -> None:
    server, reply = ask(refusal("not_found_error", "model: m", 404), runtime)
    assert reply.fault is not None
    assert reply.fault.message == f"mine: model: m ({server.url}/v1/messages)"


def test_the_wait_that_a_server_asks_for_is_known(runtime: Runtime) -> None:
    busy = Response(["<h1>busy</h1>"], 529, {"content-type": "text/html", "retry-after": "7"})
    fault = failed(busy, runtime)
    assert (fault.kind, fault.retryable, fault.retry_after) == ("temporary", True, 7)


def test_q10_q11_only_a_code_of_its_own_says_that_money_is_gone(runtime: Runtime) -> None:
    gone = failed(refusal("billing_error", "no credit", 429), runtime)
    busy = failed(refusal("rate_limit_error", "INSUFFICIENT QUOTA: too many at once", 429), runtime)
    assert (gone.kind, gone.retryable) == ("credentials", False)
    assert (busy.kind, busy.retryable) == ("temporary", True)


def test_q13_a_server_that_is_overloaded_after_200_is_asked_again(runtime: Runtime) -> None:
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}

    async def ask_patiently(adapter: AnthropicAdapter) -> list[Any]:
        async def sleep(seconds: float) -> None:
            return

        items = [item async for item in stream_with_retries(adapter, make_request(), sleep=sleep)]
        await adapter.close()
        return items

    with Server(Response(frame(overloaded)), Response(frame(*said("Hi")))) as server:
        adapter = AnthropicAdapter(Provider("mine", "anthropic", server.url), runtime)
        notice, *rest = asyncio.run(ask_patiently(adapter))
    assert "overloaded_error from mine" in notice.message
    assert rest[-1].text == "Hi"
