"""Passes the output of a run on without blocking it: a reader that stands still holds up no signal."""

from __future__ import annotations

import asyncio
import os
import select
from collections import deque
from typing import TextIO

from agentctl.render.streams import Streams, closed_stdout

# What is ready takes this much without waiting (POSIX, writes to pipes).
PIECE = getattr(select, "PIPE_BUF", 512)


class Outlet:
    """Keeps what is to be written, to stdout or stderr, in order, until `drain` can pass it on."""

    def __init__(self, streams: Streams) -> None:
        self.streams = streams
        self._pending: deque[tuple[TextIO, bytes]] = deque()

    def write(self, text: str) -> None:
        """Text for stdout."""
        self._pending.append((self.streams.stdout, text.encode("utf-8", "replace")))

    def note(self, text: str) -> None:
        """A line for stderr, unless --quiet."""
        if not self.streams.quiet:
            self.complain(text)

    def complain(self, text: str) -> None:
        """A line for stderr, also with --quiet."""
        self.draw(f"{text}\n")

    def draw(self, text: str) -> None:
        """Text for stderr."""
        self._pending.append((self.streams.stderr, text.encode("utf-8", "replace")))

    async def drain(self) -> None:
        """Write everything; waits where a reader is slow, and where that is cancelled keeps the rest.

        Raises OutputClosed where stdout takes nothing more; a stderr that takes nothing is no failure.
        """
        while self._pending:
            stream, data = self._pending.popleft()
            try:
                while data:
                    if not _is_ready(stream):
                        self._pending.appendleft((stream, data))
                        await _wait(stream)
                        stream, data = self._pending.popleft()
                    data = data[_write(stream, data[:PIECE]) :]
            except (OSError, ValueError) as error:
                if stream is self.streams.stdout:
                    raise closed_stdout(error) from None


def _descriptor(stream: TextIO) -> int | None:
    """The descriptor of a stream; one without is memory, and never full."""
    try:
        return stream.fileno()
    except (OSError, ValueError):
        return None


def _is_ready(stream: TextIO) -> bool:
    descriptor = _descriptor(stream)
    if descriptor is None:
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return bool(poll.poll(0))


def _write(stream: TextIO, data: bytes) -> int:
    descriptor = _descriptor(stream)
    if descriptor is None:
        # A piece may end inside a character, which only bytes can hold.
        stream.buffer.write(data)
        return len(data)
    try:
        return os.write(descriptor, data)
    except BlockingIOError:
        return 0


async def _wait(stream: TextIO) -> None:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    descriptor = stream.fileno()
    loop.add_writer(descriptor, _announce, ready)
    try:
        await ready
    finally:
        loop.remove_writer(descriptor)


def _announce(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
