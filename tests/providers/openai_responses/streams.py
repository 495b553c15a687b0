"""Responses streams in a few words, and the reply that comes of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from agentctl.providers.base import Delta, Reply, StreamItem
from agentctl.providers.openai_responses.answer import ResponsesAnswer
from agentctl.providers.wire.stream import read_events


def event(name: str, **fields: Any) -> str:
    """One event, as OpenAI frames it."""
    data = json.dumps({"type": f"response.{name}", "sequence_number": 1, **fields}, ensure_ascii=False)
    return f"event: response.{name}\ndata: {data}\n\n"


def message(*texts: str, item_id: str = "msg_1", **fields: Any) -> dict[str, Any]:
    parts = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {
        "id": item_id,
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": parts,
        **fields,
    }


def call(arguments: str = "{}", number: int = 1, name: str = "get", **fields: Any) -> dict[str, Any]:
    known = {"id": f"fc_{number}", "call_id": f"call_{number}", "name": name, "arguments": arguments}
    return {"type": "function_call", "status": "completed", **known, **fields}


def reasoning(*summary: str, item_id: str = "rs_1", **fields: Any) -> dict[str, Any]:
    parts = [{"type": "summary_text", "text": text} for text in summary]
    return {"id": item_id, "type": "reasoning", "summary": parts, **fields}


def said(text: str, **fields: Any) -> str:
    """A delta of text; it belongs to `msg_1` at place 0 unless the fields say otherwise."""
    known = {"item_id": "msg_1", "output_index": 0, "content_index": 0, **fields}
    return event("output_text.delta", delta=text, **{k: v for k, v in known.items() if v is not None})


def added(item: dict[str, Any], index: int | None = 0) -> str:
    empty = {
        key: [] if isinstance(value, list) else value
        for key, value in item.items()
        if key not in ("arguments", "encrypted_content")
    }
    place = {} if index is None else {"output_index": index}
    return event("output_item.added", item={**empty, "status": "in_progress"}, **place)


def done(item: dict[str, Any], index: int | None = 0) -> str:
    return event("output_item.done", item=item, **({} if index is None else {"output_index": index}))


def completed(*items: dict[str, Any], name: str = "completed", **fields: Any) -> str:
    response = {"id": "r", "object": "response", "status": name, "output": list(items), **fields}
    return event(name, response=response)


def read(*chunks: str | bytes, content_type: str = "text/event-stream") -> list[StreamItem]:
    """What comes of the chunks; the deltas are the text and the reasoning of the reply."""

    async def source() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk if isinstance(chunk, bytes) else chunk.encode("utf-8", "surrogatepass")

    async def run() -> list[StreamItem]:
        return [item async for item in read_events(source(), ResponsesAnswer(), content_type)]

    items = asyncio.run(run())
    reply = items[-1]
    assert isinstance(reply, Reply)
    for kind, whole in (("text", reply.text), ("reasoning", reply.reasoning)):
        assert "".join(i.text for i in items if isinstance(i, Delta) and i.kind == kind) == whole
    return items


def play(*chunks: str | bytes, content_type: str = "text/event-stream") -> Reply:
    reply = read(*chunks, content_type=content_type)[-1]
    assert isinstance(reply, Reply)
    return reply


def calls(reply: Reply) -> list[tuple[str | None, str, Any, bool]]:
    """Id, name, arguments (or what came instead) and whether it may run, of every call."""
    return [
        (each.id, each.name, each.raw if each.arguments is None else dict(each.arguments), each.run)
        for each in reply.calls
    ]


def fault(reply: Reply) -> tuple[str, str, bool]:
    """Kind, type, and whether to try again."""
    assert reply.fault is not None
    assert reply.finish == "error"
    return reply.fault.kind, reply.fault.type, reply.fault.retryable
