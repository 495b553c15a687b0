"""The three protocols against a server that was not made for these tests: llama.cpp with the tiny model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from agentctl.config import load_config
from agentctl.domain.message import Message, Text, ToolCall, ToolOutput
from agentctl.domain.model import Model, Provider
from agentctl.providers import load_adapter
from agentctl.providers.base import Delta, Reply, StreamItem, ToolSchema
from agentctl.providers.local.models import CATALOGUE, find
from agentctl.providers.local.runtime import check_runtime
from tests.providers.asking import collect, make_request, make_runtime

pytestmark = [pytest.mark.embedded, pytest.mark.slow]

KEY = "sk-real-server-0123456789"
PROTOCOLS = ("anthropic", "openai", "openai-responses")
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer", "maximum": 120}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of the server, which is one for all tests: loading a model takes a second."""
    path = find(CATALOGUE["smollm2-135m"], Path(load_config(os.environ, {}).cache_dir))
    if path is None:
        pytest.skip("the tiny model is not on this machine: agentctl models pull smollm2-135m")
    for problem in check_runtime():
        pytest.skip(problem)
    command = [sys.executable, "-m", "tests.providers.real_server", str(path), KEY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.stdin.close()


@pytest.fixture(params=PROTOCOLS)
def protocol(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ask(protocol: str, address: str, tmp_path: Path) -> Any:
    """Ask the server in one protocol: `ask("Say hello")`, the reply last."""

    def call(text: str = "Say hello.", key: str = KEY, **values: Any) -> list[StreamItem]:
        runtime = make_runtime(tmp_path, {"REAL_KEY": key}, stream_timeout=120.0)
        provider = Provider("mine", protocol, f"{address}/v1", api_key_env="REAL_KEY")
        options = {"temperature": 0, **values.pop("options", {})}
        asked = make_request(
            text, **{"model": Model("m", "mine", "m"), "options": options, "max_output": 40, **values}
        )
        return collect(load_adapter(protocol)(provider, runtime), asked)

    return call


def reply_of(items: list[StreamItem]) -> Reply:
    reply = items[-1]
    assert isinstance(reply, Reply)
    assert reply.fault is None, reply.fault
    return reply


def test_an_answer_arrives_in_pieces_and_is_counted(ask: Any) -> None:
    items = ask()
    reply = reply_of(items)
    pieces = [item.text for item in items if isinstance(item, Delta)]
    assert len(pieces) > 1
    assert "".join(pieces) == reply.text
    assert reply.usage is not None
    assert reply.usage.input > 5
    assert 1 < reply.usage.output <= 40


def test_the_output_limit_ends_an_answer(ask: Any, protocol: str) -> None:
    reply = reply_of(ask("Count from one to one hundred.", max_output=5))
    assert reply.usage is not None
    assert reply.usage.output == 5
    # In Responses llama.cpp calls an answer completed whatever ended it.
    assert reply.finish == ("stop" if protocol == "openai-responses" else "length")


def test_an_answer_keeps_to_its_schema(ask: Any, protocol: str) -> None:
    if protocol == "anthropic":
        pytest.skip("llama.cpp reads no schema in Messages")
    # In Responses it reads none at its place, but takes one under a name of its own.
    own = {"structured_output": "prompt", "json_schema": SCHEMA} if protocol == "openai-responses" else {}
    reply = reply_of(ask("Invent a person: name and age.", schema=SCHEMA, max_output=100, options=own))
    jsonschema.validate(json.loads(reply.text), SCHEMA)


def test_a_schema_in_words_reaches_the_model(ask: Any) -> None:
    plain, worded = (
        reply_of(ask(schema=schema, max_output=5, options={"structured_output": "prompt"}))
        for schema in (None, SCHEMA)
    )
    assert plain.usage is not None
    assert worded.usage is not None
    assert worded.usage.input > plain.usage.input + 50


def test_a_history_with_calls_and_any_script_is_accepted(ask: Any) -> None:
    tool = ToolSchema("clock", "Tells the time.", {"type": "object", "properties": {}})
    history = (
        Message("user", (Text("现在几点？"),)),
        Message("assistant", (Text("看一下 🙂"), ToolCall("ac_1", "clock", {}))),
        Message("tool", (ToolOutput("ac_1", "clock", "12:00", True),)),
        Message("assistant", (Text("十二点。"),)),
        Message("user", (Text("Thanks. And now?"),)),
    )
    assert reply_of(ask(messages=history, tools=(tool,), system="Be brief.")).usage is not None


def test_a_wrong_key_is_refused_and_named_by_its_variable(ask: Any) -> None:
    reply = ask(key="sk-wrong-0123456789")[-1]
    assert reply.fault.kind == "credentials"
    assert "REAL_KEY" in reply.fault.message
    assert "sk-wrong" not in f"{reply.fault}"
