"""Reads the body of a response as it arrives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator

from agentctl.net.failure import NetworkFailure
from agentctl.net.sse import EventFramer, EventSizeError
from agentctl.providers.base import Fault, StreamItem
from agentctl.providers.faults import from_network
from agentctl.providers.wire.answer import StreamedAnswer


async def read_events(
    chunks: AsyncIterator[bytes], answer: StreamedAnswer, content_type: str = "text/event-stream"
) -> AsyncGenerator[StreamItem, None]:
    """Deltas as they arrive, then exactly one Reply, whatever the bytes are.

    Events, one whole JSON answer and error bodies are told apart by what they are, not by `content_type`,
    which only helps to explain nonsense. A NetworkFailure that `chunks` raises becomes a fault. Reading stops
    when `answer` is over; closing `chunks` is the caller's part.
    """
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
