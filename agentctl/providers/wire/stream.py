"""Reads the body of a response as it arrives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress

from agentctl.errors import ProviderError
from agentctl.net.failure import NetworkFailure
from agentctl.net.sse import EventFramer, EventSizeError
from agentctl.providers.base import Fault, StreamItem
from agentctl.providers.faults import from_network
from agentctl.providers.wire.answer import StreamedAnswer

# A server that never stops must not fill the memory: characters of what is shown, and bytes of everything.
LONGEST_ANSWER = 64 << 20
LONGEST_STREAM = 128 << 20
# What may come behind the last event, in bytes and seconds, before another connection is the better choice.
LONGEST_TAIL = 64 << 10
TAIL_SECONDS = 0.25


async def read_events(
    chunks: AsyncIterator[bytes], answer: StreamedAnswer, content_type: str = "text/event-stream"
) -> AsyncGenerator[StreamItem, None]:
    """Deltas as they arrive, then exactly one Reply, whatever the bytes are.

    Events, one whole JSON answer and error bodies are told apart by what they are, not by `content_type`,
    which only helps to explain nonsense. A NetworkFailure that `chunks` raises becomes a fault. Reading stops
    when `answer` is over; closing `chunks` is the caller's part.
    """
    framer = EventFramer()
    shown = came = 0
    try:
        async for chunk in chunks:
            came += len(chunk)
            answer.take(framer.feed(chunk))
            for delta in answer.drain():
                shown += len(delta.text)
                yield delta
            if answer.over:
                break
            if shown > LONGEST_ANSWER or came > LONGEST_STREAM:
                answer.break_off(_too_long())
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


async def read_tail(chunks: AsyncIterator[bytes]) -> None:
    """Read the little that follows the last event: only a body that was read to its end leaves the connection
    free for the next request.

    Whatever goes wrong here does no harm to an answer that is whole, nor does a recording that has no tail.
    """
    # Adapters are loaded by commands that have no event loop, too.
    import asyncio

    came = 0
    with suppress(NetworkFailure, ProviderError, TimeoutError):
        async with asyncio.timeout(TAIL_SECONDS):
            async for chunk in chunks:
                came += len(chunk)
                if came > LONGEST_TAIL:
                    return


def _too_long() -> Fault:
    return Fault(
        "limit", "answer_too_long", "the answer does not end", hint="Set max_tokens in the agent's options."
    )
