"""The events of a Messages stream, as short as a test can write them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentctl.domain.model import Provider
from agentctl.providers.anthropic.adapter import AnthropicAdapter
from agentctl.providers.base import ModelRequest, Reply, Runtime, StreamItem
from tests.loopback import Answer, Response, Server
from tests.providers.asking import collect, make_request

Event = Mapping[str, Any]

TEXT = {"type": "text", "text": ""}
THINKING = {"type": "thinking", "thinking": "", "signature": ""}


def begin(**usage: Any) -> Event:
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [],
        "stop_reason": None,
    }
    return {"type": "message_start", "message": {**message, "usage": {"input_tokens": 5, **usage}}}


def start(index: int, block: Event) -> Event:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, kind: str, value: Any) -> Event:
    """A delta by the name of what it adds to: text, thinking, signature, partial_json."""
    types = {"partial_json": "input_json_delta"}
    return {
        "type": "content_block_delta",
        "index": index,
        "delta": {"type": types.get(kind, f"{kind}_delta"), kind: value},
    }


def stop(index: int) -> Event:
    return {"type": "content_block_stop", "index": index}


def end(reason: str | None = "end_turn", **usage: Any) -> list[Event]:
    closing = {"stop_reason": reason, "stop_sequence": None}
    last = {"type": "message_delta", "delta": closing, "usage": {"output_tokens": 7, **usage}}
    return [last, {"type": "message_stop"}]


def call(call_id: str = "toolu_1", name: str = "get", **fields: Any) -> Event:
    return {"type": "tool_use", "id": call_id, "name": name, "input": {}, **fields}


def block(index: int, opening: Event, *deltas: tuple[str, Any]) -> list[Event]:
    """A whole block."""
    return [start(index, opening), *(delta(index, *each) for each in deltas), stop(index)]


def said(text: str, reason: str = "end_turn") -> list[Event]:
    """A whole answer."""
    return [begin(), *block(0, TEXT, ("text", text)), *end(reason)]


def frame(*events: Event) -> list[str]:
    return [f"event: {each['type']}\ndata: {json.dumps(each, ensure_ascii=False)}\n\n" for each in events]


def play(*events: Event, runtime: Runtime) -> Reply:
    """What becomes of a stream that arrives over a socket."""
    return ask_for(Response(frame(*events)), runtime)[-1]  # type: ignore[return-value]


def ask_for(
    answer: Answer, runtime: Runtime, request: ModelRequest | None = None, **options: Any
) -> list[StreamItem]:
    """What an adapter yields when its server gives `answer`."""
    with Server(answer) as server:
        adapter = AnthropicAdapter(Provider("mine", "anthropic", server.url, options=options), runtime)
        return collect(adapter, request or make_request())
