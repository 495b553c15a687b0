from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.domain.message import Usage
from agentctl.domain.model import Model, Provider
from agentctl.errors import ConfigError, CredentialsError
from agentctl.providers import BUILT_IN, load_adapter
from agentctl.providers.base import Delta, Reply, Runtime
from agentctl.providers.openai_responses.adapter import OpenAIResponsesAdapter
from tests.loopback import Response, Server, json_body
from tests.providers.asking import collect, make_request, make_runtime
from tests.providers.openai_responses.streams import added, completed, message, said

KEY = "sk-test-0123456789"


def test_an_answer_streams_and_its_usage_is_read(tmp_path: Path) -> None:
    usage = {"input_tokens": 3, "output_tokens": 2, "output_tokens_details": {"reasoning_tokens": 1}}
    stream = [added(message()), said("Hello"), said(" world"), completed(message("Hello world"), usage=usage)]
    with Server(Response(stream), pause=0.01) as server:
        provider = Provider("mine", "openai-responses", f"{server.url}/v1", api_key_env="MY_KEY")
        adapter = OpenAIResponsesAdapter(provider, make_runtime(tmp_path, {"MY_KEY": KEY}))
        items = collect(adapter, make_request())
    assert items == [
        Delta("text", "Hello"),
        Delta("text", " world"),
        Reply("Hello world", usage=Usage(input=3, output=2, reasoning=1)),
    ]
    (request,) = server.requests
    assert (request.target, request.headers["authorization"]) == ("/v1/responses", f"Bearer {KEY}")


def test_the_built_in_provider_is_openai_and_so_is_one_without_an_address(runtime: Runtime) -> None:
    built_in = BUILT_IN["openai-responses"]
    assert load_adapter(built_in.kind) is OpenAIResponsesAdapter
    for provider in (built_in, Provider("mine", "openai-responses")):
        with pytest.raises(CredentialsError, match="set OPENAI_API_KEY"):
            OpenAIResponsesAdapter(provider, runtime).check(Model("m", provider.slug, "m"))


def test_a_wrong_option_is_found_before_anything_is_sent(runtime: Runtime) -> None:
    provider = Provider("mine", "openai-responses", "http://127.0.0.1:9", options={"input": "x"})
    with pytest.raises(ConfigError, match="option input cannot be set"):
        OpenAIResponsesAdapter(provider, runtime).check(Model("m", "mine", "m"))


def test_a_server_that_speaks_another_protocol_is_named(runtime: Runtime) -> None:
    def ask(response: Response) -> Reply:
        with Server(response) as server:
            adapter = OpenAIResponsesAdapter(Provider("mine", "openai-responses", server.url), runtime)
            reply = collect(adapter, make_request())[-1]
        assert isinstance(reply, Reply)
        return reply

    page = ask(Response(["<html>Sign in</html>"], headers={"content-type": "text/html"}))
    assert page.fault
    assert "/v1/responses does not speak Responses" in (page.fault.hint or "")
    missing = ask(json_body({"error": {"message": "no such model"}}, 404))
    assert missing.fault
    assert missing.fault.message.endswith("/v1/responses)")
