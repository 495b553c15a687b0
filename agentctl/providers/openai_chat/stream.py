"""Reads the body of a Chat Completions response as it arrives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Collection

from agentctl.net.failure import NetworkFailure
from agentctl.net.sse import EventFramer, EventSizeError
from agentctl.providers.base import Fault, Reply, StreamItem
from agentctl.providers.faults import from_body, from_network
from agentctl.providers.openai_chat.answer import Answer


async def read_stream(
    chunks: AsyncIterator[bytes],
    *,
    content_type: str = "text/event-stream",
    status: int = 200,
    think_tags: bool = False,
    lenient_names: Collection[str] = (),
) -> AsyncGenerator[StreamItem, None]:
    """Deltas as they arrive, then exactly one Reply, whatever the bytes are.

    Events, one whole JSON completion and error bodies are told apart by what they are, not by `content_type`,
    which only helps to explain nonsense. `lenient_names` are the tools whose calls may stand in the text as
    JSON. A NetworkFailure that `chunks` raises becomes a fault. Reading stops at `[DONE]` or an error;
    closing `chunks` is the caller's part.
    """
    if status >= 300:
        body = b"".join([chunk async for chunk in chunks])
        yield Reply(finish="error", fault=from_body(status, body, content_type))
        return
    answer = Answer(think_tags=think_tags, lenient_names=lenient_names)
    framer = EventFramer()
    try:
        async for chunk in chunks:
            answer.take(framer.feed(chunk))
            for delta in answer.drain():
                yield delta
            if answer.over:
                break
        else:
            answer.take(framer.close())
    except NetworkFailure as failure:
        answer.break_off(from_network(failure))
    except EventSizeError as error:
        answer.break_off(Fault("provider", "too_large", str(error)))
    answer.close(framer.ignored, content_type)
    for delta in answer.drain():
        yield delta
    yield answer.reply()
