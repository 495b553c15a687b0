"""Reads the body of a response as it arrives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator

from agentctl.net.failure import NetworkFailure
from agentctl.net.sse import EventFramer, EventSizeError
from agentctl.providers.base import Fault, StreamItem
from agentctl.providers.faults import from_network
from agentctl.providers.wire.answer import StreamedAnswer

# A server that never stops must not fill the memory: characters of what is shown, and bytes of everything.
LONGEST_ANSWER = 64 << 20
LONGEST_STREAM = 128 << 20


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


def _too_long() -> Fault:
    return Fault(
        "limit", "answer_too_long", "the answer does not end", hint="Set max_tokens in the agent's options."
    )
