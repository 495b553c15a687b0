from __future__ import annotations

import asyncio
import sys
import time
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.message import Usage
from agentctl.domain.model import Model, Provider
from agentctl.errors import ConfigError, CredentialsError
from agentctl.providers import BUILT_IN
from agentctl.providers.base import Delta, Fault, Notice, Reply, Runtime, ToolSchema
from agentctl.providers.openai_chat.adapter import OpenAIChatAdapter
from tests.loopback import Response, Server, json_body, said
from tests.providers.asking import ask, collect, make_request, make_runtime

KEY = "sk-test-0123456789"


def failed(reply: Reply) -> Fault:
    assert reply.fault is not None
    assert (reply.finish, reply.text) == ("error", "")
    return reply.fault


def ask_once(response: Response, runtime: Runtime, **provider: Any) -> Fault:
    with Server(response) as server:
        return failed(ask(f"{server.url}/v1", runtime, **provider))


def test_an_answer_streams_and_its_usage_is_read(runtime: Runtime) -> None:
    with Server(
        Response(
            said("Hello", " world", usage={"prompt_tokens": 3}),
        ),
        pause=0.01,
    ) as server:
        items = collect(OpenAIChatAdapter(Provider("mine", "openai", server.url), runtime), make_request())
    assert items == [
        Delta("text", "Hello"),
        Delta("text", " world"),
        Reply("Hello world", usage=Usage(input=3)),
    ]
    (request,) = server.requests
    assert request.target == "/v1/chat/completions"
    assert request.headers["content-type"] == "application/json"
    assert "authorization" not in request.headers


def test_the_key_goes_along_as_a_bearer_token(tmp_path: Path) -> None:
    with Server(Response(said("Hi"))) as server:
        runtime = make_runtime(tmp_path, {"MY_KEY": f"{KEY}\n"})
        ask(server.url, runtime, api_key_env="MY_KEY", headers={"X-Team": "a", "X-Id": {"env": "MY_KEY"}})
    headers = server.requests[0].headers
    assert (headers["authorization"], headers["x-team"], headers["x-id"]) == (f"Bearer {KEY}", "a", KEY)


def test_a_missing_key_is_raised_before_anything_is_sent(runtime: Runtime) -> None:
    with (
        Server() as server,
        pytest.raises(CredentialsError, match="set MY_KEY, or choose another model with -m"),
    ):
        ask(server.url, runtime, api_key_env="MY_KEY")
    assert server.requests == []


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_names_its_variable_and_never_itself(status: int, tmp_path: Path) -> None:
    body = {"error": {"message": f"Incorrect API key: {KEY}, sk-t*****6789", "code": "invalid_api_key"}}
    runtime = make_runtime(tmp_path, {"MY_KEY": KEY})
    fault = ask_once(json_body(body, status), runtime, api_key_env="MY_KEY")
    assert (fault.kind, fault.type, fault.status, fault.retryable) == (
        "credentials",
        "invalid_api_key",
        status,
        False,
    )
    assert fault.message == "mine refused MY_KEY: Incorrect API key: ***, ***"


def test_a_server_that_wants_a_key_says_how_to_give_one(runtime: Runtime) -> None:
    fault = ask_once(json_body({"error": "no key"}, 401), runtime)
    assert (fault.message, fault.hint) == (
        "mine wants a key: no key",
        "Set api_key_env of provider mine, or run agentctl keys set mine.",
    )


@pytest.mark.parametrize("status", [402, 403, 429])
def test_an_account_out_of_credit_is_never_retried(status: int, runtime: Runtime) -> None:
    body = {"error": {"message": "no money", "code": "insufficient_quota"}}
    fault = ask_once(json_body(body, status), runtime)
    assert (fault.kind, fault.type, fault.retryable) == ("credentials", "quota", False)
    assert "out of credit" in (fault.hint or "")


def test_prose_about_quota_is_a_plain_rate_limit(runtime: Runtime) -> None:
    body = {"error": {"message": "INSUFFICIENT QUOTA: too many concurrent requests", "type": "limit"}}
    fault = ask_once(json_body(body, 429, retry_after="2"), runtime)
    assert (fault.kind, fault.retryable, fault.retry_after, fault.status) == ("temporary", True, 2, 429)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_passing_trouble_may_be_tried_again(status: int, runtime: Runtime) -> None:
    fault = ask_once(Response(["<h1>busy</h1>"], status, {"retry-after-ms": "10"}), runtime)
    assert (fault.kind, fault.retryable, fault.retry_after) == ("temporary", True, 0.01)
    assert fault.message == f"mine: HTTP {status}: <h1>busy</h1>"


def test_a_404_names_the_url_that_was_asked(runtime: Runtime) -> None:
    with Server(json_body({"error": {"message": "no such model"}}, 404)) as server:
        fault = failed(ask(f"{server.url}/v2/?key=secret", runtime))
    assert fault.kind == "provider"
    assert fault.message == f"mine: no such model ({server.url}/v2/chat/completions)"


def test_a_redirect_is_never_followed_with_the_key(tmp_path: Path) -> None:
    runtime = make_runtime(tmp_path, {"MY_KEY": KEY})
    with Server(Response(said("stolen"))) as other:
        moved = Response(status=307, headers={"location": f"{other.url}/v1"})
        with Server(moved) as server:
            fault = failed(ask(server.url, runtime, api_key_env="MY_KEY"))
        assert other.requests == []
    assert (fault.kind, fault.type) == ("provider", "redirect")
    assert fault.message == f"{server.url}/v1/chat/completions redirects to {other.url}/v1"


def test_a_page_says_which_url_is_wrong(runtime: Runtime) -> None:
    with Server(Response(["<html>Sign in</html>"], headers={"content-type": "text/html"})) as server:
        fault = failed(ask(server.url, runtime))
    assert fault.message == "not JSON: <html>Sign in</html>"
    assert f"{server.url}/v1/chat/completions" in (fault.hint or "")


def test_a_key_in_an_error_inside_a_stream_is_hidden(tmp_path: Path) -> None:
    runtime = make_runtime(tmp_path, {"MY_KEY": KEY})
    stream = Response([f'data: {{"error": {{"message": "bad {KEY}", "type": "authentication_error"}}}}\n\n'])
    fault = ask_once(stream, runtime, api_key_env="MY_KEY")
    assert (fault.kind, fault.message, fault.hint) == ("credentials", "bad ***", "Check MY_KEY.")


def test_a_connection_that_breaks_is_temporary_and_names_the_url(runtime: Runtime) -> None:
    with Server(Response(said("Hello", finish=None), cut=True)) as server:
        reply = ask(server.url, runtime)
    assert reply.text == "Hello"
    assert reply.fault is not None
    assert (reply.fault.kind, reply.fault.retryable) == ("temporary", True)
    assert reply.fault.message.startswith(f"the connection to {server.url}/v1/chat/completions broke")


def test_a_server_that_is_not_there_is_temporary(runtime: Runtime) -> None:
    fault = failed(ask("http://127.0.0.1:9/v1", runtime))
    assert (fault.kind, fault.type, fault.retryable) == ("temporary", "connect", True)


def test_silence_is_a_time_limit(tmp_path: Path) -> None:
    with Server(Response([*said("Hello", finish=None), 10.0])) as server:
        reply = ask(server.url, make_runtime(tmp_path, stream_timeout=0.2))
    assert reply.text == "Hello"
    assert reply.fault is not None
    assert (reply.fault.kind, reply.fault.type) == ("timeout", "idle")


def test_an_answer_that_is_done_does_not_wait_for_the_socket(runtime: Runtime) -> None:
    start = time.monotonic()
    with Server(Response([*said("Hello"), 60.0])) as server:
        assert ask(server.url, runtime).text == "Hello"
        assert server.hung_up.wait(10)
    assert time.monotonic() - start < 20


def test_closing_the_stream_ends_the_request(runtime: Runtime) -> None:
    async def run(url: str) -> Any:
        adapter = OpenAIChatAdapter(Provider("mine", "openai", url), runtime)
        async with aclosing(adapter.stream(make_request())) as items:
            return await anext(items)

    with Server(Response([*said("Hello", finish=None), 60.0])) as server:
        assert asyncio.run(run(server.url)) == Delta("text", "Hello")
        assert server.hung_up.wait(10)


def test_cancelling_ends_the_request(runtime: Runtime) -> None:
    async def run(url: str) -> None:
        adapter = OpenAIChatAdapter(Provider("mine", "openai", url), runtime)

        async def consume() -> None:
            async for _ in adapter.stream(make_request()):
                arrived.set()

        arrived = asyncio.Event()
        task = asyncio.create_task(consume())
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with Server(Response([*said("Hello", finish=None), 60.0])) as server:
        asyncio.run(run(server.url))
        assert server.hung_up.wait(10)


UNSUPPORTED = json_body(
    {"error": {"message": "no", "code": "unsupported_parameter", "param": "temperature"}}, 400
)


def test_an_unsupported_parameter_is_left_out_once_and_remembered(runtime: Runtime) -> None:
    async def run(adapter: OpenAIChatAdapter) -> list[list[Any]]:
        request = make_request(options={"temperature": 0, "top_p": 1})
        answers = [[item async for item in adapter.stream(request)] for _ in range(2)]
        await adapter.close()
        return answers

    with Server(UNSUPPORTED, Response(said("Hi"))) as server:
        first, second = asyncio.run(run(OpenAIChatAdapter(Provider("mine", "openai", server.url), runtime)))
    assert first[0] == Notice("parameter", "m does not take temperature; asking without it")
    assert (first[-1].text, second[0]) == ("Hi", Delta("text", "Hi"))
    assert ["temperature" in request.json for request in server.requests] == [True, False, False]
    assert all(request.json["top_p"] == 1 for request in server.requests)


def test_a_parameter_that_is_refused_for_ever_is_asked_for_once(runtime: Runtime) -> None:
    with Server(UNSUPPORTED) as server:
        items = collect(
            OpenAIChatAdapter(Provider("mine", "openai", server.url), runtime),
            make_request(options={"temperature": 0}),
        )
    assert [type(item) for item in items] == [Notice, Reply]
    assert len(server.requests) == 2


def test_options_of_provider_model_and_request_are_merged(runtime: Runtime) -> None:
    model = Model("m", "mine", "m", options={"top_p": 2, "seed": 2})
    with Server(Response(said("Hi"))) as server:
        ask(
            server.url,
            runtime,
            make_request(model=model, options={"seed": 3}),
            options={"temperature": 1, "top_p": 1, "seed": 1},
        )
    body = server.requests[0].json
    assert (body["temperature"], body["top_p"], body["seed"]) == (1, 2, 3)


def test_calls_in_the_text_are_read_where_the_option_says_so(runtime: Runtime) -> None:
    tool = ToolSchema("get", "", {"type": "object"})
    for option, calls in ((True, 1), (False, 0)):
        with Server(Response(said('{"name": "get", "arguments": {}}'))) as server:
            request = make_request(tools=(tool,))
            reply = ask(server.url, runtime, request, options={"lenient_tool_calls": option})
        assert len(reply.calls) == calls


def test_a_provider_without_a_base_url_is_openai_with_its_key(runtime: Runtime) -> None:
    adapter = OpenAIChatAdapter(Provider("mine", "openai"), runtime)
    assert adapter.default_base_url == BUILT_IN["openai"].base_url
    with pytest.raises(CredentialsError, match="OPENAI_API_KEY"):
        collect(adapter, make_request())


def test_a_check_finds_a_missing_key_and_a_bad_option_without_a_request(runtime: Runtime) -> None:
    with Server() as server:
        adapter = OpenAIChatAdapter(Provider("mine", "openai", server.url, api_key_env="MY_KEY"), runtime)
        with pytest.raises(CredentialsError, match="set MY_KEY"):
            adapter.check(Model("m", "mine", "m"))
        adapter = OpenAIChatAdapter(Provider("mine", "openai", server.url), runtime)
        adapter.check(Model("m", "mine", "m"))
        with pytest.raises(ConfigError, match="option stream"):
            adapter.check(Model("m", "mine", "m", options={"stream": False}))
    assert server.requests == []


def test_a_key_from_a_command_is_fetched_once(runtime: Runtime, tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = f"print('{KEY}'); open({str(log)!r}, 'a').write('x')"
    declared = Provider("mine", "openai", api_key_cmd=(sys.executable, "-c", code))

    async def run(url: str) -> None:
        adapter = OpenAIChatAdapter(replace(declared, base_url=url), runtime)
        adapter.check(Model("m", "mine", "m"))
        for _ in range(2):
            _ = [item async for item in adapter.stream(make_request())]
        await adapter.close()

    with Server(Response(said("Hi"))) as server:
        asyncio.run(run(server.url))
    assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {KEY}"] * 2
    assert log.read_text() == "x"


def test_bad_options_and_urls_are_raised(runtime: Runtime) -> None:
    with pytest.raises(ConfigError, match="base_url"):
        OpenAIChatAdapter(Provider("mine", "openai", "host"), runtime)
    with pytest.raises(ConfigError, match="option stream"):
        ask("http://127.0.0.1:9", runtime, make_request(options={"stream": False}))
