"""Reads the body of a Chat Completions response as it arrives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Collection

from agentctl.providers.base import Reply, StreamItem
from agentctl.providers.faults import from_body
from agentctl.providers.openai_chat.answer import ChatAnswer
from agentctl.providers.wire.stream import read_events


def read_stream(
    chunks: AsyncIterator[bytes],
    *,
    content_type: str = "text/event-stream",
    status: int = 200,
    think_tags: bool = False,
    lenient_names: Collection[str] = (),
) -> AsyncGenerator[StreamItem, None]:
    """Deltas as they arrive, then exactly one Reply, whatever the bytes are.

    `lenient_names` are the tools whose calls may stand in the text as JSON.
    """
    if status >= 300:
        return _read_error(chunks, content_type, status)
    answer = ChatAnswer(think_tags=think_tags, lenient_names=lenient_names)
    return read_events(chunks, answer, content_type)


async def _read_error(
    chunks: AsyncIterator[bytes], content_type: str, status: int
) -> AsyncGenerator[StreamItem, None]:
    body = b"".join([chunk async for chunk in chunks])
    yield Reply(finish="error", fault=from_body(status, body, content_type))
