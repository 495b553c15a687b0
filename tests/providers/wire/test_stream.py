from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from agentctl.providers.base import Delta, Reply, StreamItem
from agentctl.providers.openai_chat.answer import ChatAnswer
from agentctl.providers.wire import stream
from tests.loopback import said

PIECE = "x" * (1 << 20)


def read(chunk: str) -> list[StreamItem]:
    """What comes of a server that sends one chunk for ever, and how often it was asked for more."""

    async def repeat() -> AsyncIterator[bytes]:
        for _ in range(400):
            yield chunk.encode()
        raise AssertionError("the stream was read to its end")

    async def run() -> list[StreamItem]:
        return [item async for item in stream.read_events(repeat(), ChatAnswer())]

    return asyncio.run(run())


def test_an_answer_without_end_is_cut_and_kept() -> None:
    *deltas, reply = read(said(PIECE, finish=None)[0])
    assert isinstance(reply, Reply)
    assert reply.fault is not None
    assert (reply.finish, reply.fault.kind, reply.fault.type) == ("error", "limit", "answer_too_long")
    assert len(reply.text) == stream.LONGEST_ANSWER + len(PIECE)
    assert sum(len(delta.text) for delta in deltas if isinstance(delta, Delta)) == len(reply.text)


@pytest.mark.slow
def test_what_is_not_shown_has_an_end_too() -> None:
    call = {"index": 0, "id": "c", "function": {"name": "get", "arguments": PIECE}}
    (reply,) = read(f"data: {json.dumps({'choices': [{'delta': {'tool_calls': [call]}}]})}\n\n")
    assert isinstance(reply, Reply)
    assert reply.fault is not None
    assert reply.fault.type == "answer_too_long"
    assert not any(call.run for call in reply.calls)
