"""The pipes of a program: what it writes is kept in part and read in full, what it reads is fed to it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

PIECE = 1 << 16
# More output than this is no accident; reading on would only burn time.
MOST_OUTPUT = 100_000_000


class Sink:
    """Keeps the start and the end of what a stream gives, at most `most` bytes of it.

    `overflow` is called once a stream gives more than MOST_OUTPUT bytes.
    """

    def __init__(self, most: int, overflow: Callable[[], None]) -> None:
        self._overflow = overflow
        self._start_room = most - most // 3
        self._end_room = most // 3
        self._start = bytearray()
        self._end = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self.total += len(data)
        if self.total > MOST_OUTPUT:
            self._overflow()
        room = self._start_room - len(self._start)
        self._start += data[:room]
        self._end += data[room:] if room else data
        if len(self._end) > self._end_room + 16 * PIECE:
            del self._end[: -self._end_room]

    @property
    def left_out(self) -> int:
        """How many bytes are not kept."""
        return max(0, self.total - self._start_room - self._end_room)

    def text(self) -> str:
        """What was kept, as text, with a note where some is missing; bytes that are no UTF-8 are marked."""
        if not self.left_out:
            return (self._start + self._end).decode(errors="replace")
        end = self._end[-self._end_room :]
        # A character that the cut went through is left out whole.
        start = (
            self._start.decode(errors="ignore")
            if _is_text(self._start)
            else self._start.decode(errors="replace")
        )
        while end and end[0] & 0xC0 == 0x80:
            del end[:1]
        return f"{start}\n[... {self.left_out:,} bytes left out ...]\n{end.decode(errors='replace')}"


async def drain(fd: int, sink: Sink) -> None:
    """Read `fd` to its end; the sink gets all of it."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    os.set_blocking(fd, False)

    def read() -> None:
        try:
            data = os.read(fd, PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        sink.add(data)
        if not data and not done.done():
            done.set_result(None)

    loop.add_reader(fd, read)
    try:
        await done
    finally:
        loop.remove_reader(fd)


async def feed(fd: int, data: bytes) -> None:
    """Write `data` to `fd`; a program that does not read to the end is no failure."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    os.set_blocking(fd, False)
    rest = memoryview(data)

    def write() -> None:
        nonlocal rest
        try:
            rest = rest[os.write(fd, rest[:PIECE]) :]
        except BlockingIOError:
            return
        except OSError:
            rest = rest[:0]
        if not rest and not done.done():
            done.set_result(None)

    loop.add_writer(fd, write)
    try:
        await done
    finally:
        loop.remove_writer(fd)


def _is_text(data: bytearray) -> bool:
    """Whether it is UTF-8, but for a character that is cut at the end."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True
