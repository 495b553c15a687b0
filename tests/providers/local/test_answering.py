from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from agentctl.domain.message import Message, Text, ToolCall, ToolOutput, Usage
from agentctl.providers.base import Delta, Fault, ModelRequest, Reply, StreamItem, ToolSchema
from agentctl.providers.local.answering import Answering
from agentctl.providers.local.endpoint import Endpoint
from agentctl.providers.local.models import ModelFile
from agentctl.providers.local.place import CHAT_SLOT, ROUTER_SLOT, Place
from agentctl.providers.local.prefix import PrefixCache
from tests.providers.asking import make_request

TOOL = ToolSchema(
    "calculator",
    "Computes",
    {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]},
)
CHOSEN = '{"tool": "calculator", "arguments": {"expression": "1+1"}}'
TOO_LONG = Reply(finish="error", fault=Fault("provider", "exceed_context_size_error", "too long", status=400))


class Played:
    """An endpoint that answers what the test wrote down, one reply after the other."""

    runtime = "1"

    def __init__(self, replies: Sequence[Reply | str]) -> None:
        self.replies = [
            reply if isinstance(reply, Reply) else Reply(text=reply, usage=Usage(10, 2)) for reply in replies
        ]
        self.bodies: list[Mapping[str, Any]] = []

    async def stream(self, body: Mapping[str, Any]) -> AsyncGenerator[StreamItem, None]:
        self.bodies.append(body)
        reply = self.replies.pop(0)
        if reply.text:
            yield Delta("text", reply.text)
        yield reply

    async def collect(self, body: Mapping[str, Any]) -> Reply:
        if body["max_tokens"] == 1:  # the prefix alone
            return Reply()
        return cast("Reply", [item async for item in self.stream(body)][-1])

    async def ask(self, path: str, body: Mapping[str, Any]) -> bool:
        return True


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, "m", tmp_path / "m.sock")


def answer(place: Place, played: Played, request: ModelRequest, *, routes: bool = True) -> list[StreamItem]:
    model = ModelFile("m", place.folder / "m.gguf", routes, 8192)
    answering = Answering(request, model, cast("Endpoint", played), request.options)

    async def run() -> list[StreamItem]:
        return [item async for item in answering.items(place, PrefixCache(place.folder))]

    return asyncio.run(run())


def after_tool(text: str) -> tuple[Message, ...]:
    return (
        Message("user", (Text("1+1?"),)),
        Message("assistant", (ToolCall("1", "calculator", {"expression": "1+1"}),)),
        Message("tool", (ToolOutput("1", "calculator", text, True),)),
    )


def test_a_chosen_tool_becomes_a_call(place: Place) -> None:
    played = Played([CHOSEN])
    (reply,) = answer(place, played, make_request("1+1?", tools=(TOOL,)))
    assert isinstance(reply, Reply)
    assert reply.finish == "tool_calls"
    assert [(call.name, call.arguments, call.run) for call in reply.calls] == [
        ("calculator", {"expression": "1+1"}, True)
    ]
    body = played.bodies[0]
    assert (body["temperature"], body["id_slot"]) == (0, ROUTER_SLOT)
    assert "anyOf" in body["response_format"]["json_schema"]["schema"]


@pytest.mark.parametrize("routed", ['{"tool": "none"}', Reply(text=CHOSEN, finish="length"), "nonsense"])
def test_without_a_choice_the_model_talks_and_both_requests_are_counted(
    place: Place, routed: Reply | str
) -> None:
    played = Played([routed, "Hello!"])
    items = answer(place, played, make_request("Hi", tools=(TOOL,)))
    assert items[0] == Delta("text", "Hello!")
    reply = items[-1]
    assert isinstance(reply, Reply)
    assert reply.usage is not None
    assert reply.usage.output == (2 if isinstance(routed, Reply) else 4)
    assert played.bodies[1]["id_slot"] == CHAT_SLOT


@pytest.mark.parametrize("values", [{"purpose": "text", "tools": (TOOL,)}, {"tools": ()}])
def test_titles_and_requests_without_tools_are_not_routed(place: Place, values: dict[str, Any]) -> None:
    played = Played(["A title"])
    answer(place, played, make_request("Hi", **values))
    assert "response_format" not in played.bodies[0]


def test_a_model_that_cannot_choose_is_not_asked_to(place: Place) -> None:
    played = Played(["2"])
    answer(place, played, make_request("1+1?", tools=(TOOL,)), routes=False)
    assert "response_format" not in played.bodies[0]


def test_after_a_tool_the_model_is_asked_in_plain_words_and_never_for_another(place: Place) -> None:
    played = Played(["1+1 is 2."])
    request = make_request(messages=after_tool('{"expression": "1+1", "result": "2"}'), tools=(TOOL,))
    items = answer(place, played, request)
    assert [message["role"] for message in played.bodies[0]["messages"]] == ["system", "user"]
    assert "tools" not in played.bodies[0]
    assert items[0] == Delta("text", "1+1 is 2.")


def test_a_result_that_the_model_leaves_out_is_added(place: Place) -> None:
    played = Played(["I cannot say."])
    items = answer(place, played, make_request(messages=after_tool('{"expression": "1+1", "result": "2"}')))
    reply = items[-1]
    assert isinstance(reply, Reply)
    assert reply.text == "I cannot say.\n\n2"
    assert "".join(item.text for item in items if isinstance(item, Delta)) == reply.text


def test_a_prompt_that_is_too_long_is_cut_until_it_fits(place: Place) -> None:
    played = Played([TOO_LONG, TOO_LONG, "Yes."])
    items = answer(place, played, make_request("word " * 20_000))
    assert items[0] == Delta("text", "Yes.")
    lengths = [len(body["messages"][-1]["content"]) for body in played.bodies]
    assert lengths[0] > lengths[1] > lengths[2]


def test_a_prompt_that_never_fits_is_an_error(place: Place) -> None:
    (reply,) = answer(place, Played([TOO_LONG] * 4), make_request("Hi"))
    assert isinstance(reply, Reply)
    assert reply.fault is not None


def test_options_are_passed_on_and_limits_kept(place: Place) -> None:
    played = Played(["x"])
    options = {"temperature": 0, "seed": 7, "max_tokens": 99, "reasoning_effort": "high"}
    answer(place, played, make_request("Hi", options=options))
    body = played.bodies[0]
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0, 7, 99)
    assert "reasoning_effort" not in body
