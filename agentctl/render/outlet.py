"""Passes the output of a run on without blocking it: a reader that stands still holds up no signal."""

from __future__ import annotations

import asyncio
import os
import select
import weakref
from collections import deque
from typing import TextIO

from agentctl.render.streams import Streams, closed_stdout

# What is ready takes this much without waiting (POSIX, writes to pipes).
PIECE = getattr(select, "PIPE_BUF", 512)


class Outlet:
    """Keeps what is to be written, to stdout or stderr, in order, until `drain` can pass it on."""

    def __init__(self, streams: Streams) -> None:
        self.streams = streams
        self._pending: deque[tuple[Sink, bytes]] = deque()
        self._stdout = Sink(streams.stdout)
        self._stderr = Sink(streams.stderr)

    def write(self, text: str) -> None:
        """Text for stdout."""
        self._pending.append((self._stdout, text.encode("utf-8", "replace")))

    def note(self, text: str) -> None:
        """A line for stderr, unless --quiet."""
        if not self.streams.quiet:
            self.complain(text)

    def complain(self, text: str) -> None:
        """A line for stderr, also with --quiet."""
        self.draw(f"{text}\n")

    def draw(self, text: str) -> None:
        """Text for stderr."""
        self._pending.append((self._stderr, text.encode("utf-8", "replace")))

    async def drain(self) -> None:
        """Write everything; waits where a reader is slow, and where that is cancelled keeps the rest.

        Raises OutputClosed where stdout takes nothing more; a stderr that takes nothing is no failure.
        """
        while self._pending:
            sink, data = self._pending.popleft()
            try:
                while data:
                    if not sink.is_ready():
                        self._pending.appendleft((sink, data))
                        await sink.wait()
                        sink, data = self._pending.popleft()
                    data = data[sink.write(data[:PIECE]) :]
            except (OSError, ValueError) as error:
                if sink is self._stdout:
                    raise closed_stdout(error) from None


class Sink:
    """One stream as a descriptor that can be asked whether it takes more; one without is memory."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._poll: select.poll | None = None
        try:
            # One of its own: whatever a tool does to descriptors 1 and 2, the answer takes no notice.
            self._descriptor = os.dup(stream.fileno())
        except (OSError, ValueError):
            return
        weakref.finalize(self, os.close, self._descriptor)
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLOUT)

    def is_ready(self) -> bool:
        """Whether a piece can be written without waiting."""
        return self._poll is None or bool(self._poll.poll(0))

    def write(self, data: bytes) -> int:
        """Write a piece; returns how much of it was taken."""
        if self._poll is None:
            # A piece may end inside a character, which only bytes can hold.
            self._stream.buffer.write(data)
            return len(data)
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:
            return 0

    async def wait(self) -> None:
        """Wait until it takes more."""
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        loop.add_writer(self._descriptor, _announce, ready)
        try:
            await ready
        finally:
            loop.remove_writer(self._descriptor)


def _announce(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
