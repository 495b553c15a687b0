"""The frames that travel between a process, its fork server and the children: kind, length, body."""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HEADER = struct.Struct(">cI")

REQUEST = b"q"  # what to run and its limits, as JSON
ARGUMENT = b"d"  # to the child: the argument, as JSON
ASK = b"k"  # from the child: what it wants to know, as JSON
REPLY = b"r"  # to the child: what it asked for, as JSON
STARTED = b"s"  # from the server: the child is about to run
ANSWER = b"a"  # from the child: its result or error, as JSON
STATUS = b"x"  # from the server: how the child ended, as a decimal number

# Exit codes of a child that could not answer.
FAILED = 70
OUT_OF_MEMORY = 71


def pack(kind: bytes, body: bytes = b"") -> bytes:
    """One frame as bytes."""
    return HEADER.pack(kind, len(body)) + body


def unpack(receive: Callable[[int], bytes]) -> tuple[bytes, bytes]:
    """Read one frame, as (kind, body), from a blocking `receive(n)`. Raises EOFError when it is cut off."""
    kind, length = HEADER.unpack(_exactly(receive, HEADER.size))
    return kind, _exactly(receive, length)


def _exactly(receive: Callable[[int], bytes], count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        piece = receive(min(count - len(data), 1 << 16))
        if not piece:
            raise EOFError("the other end is gone")
        data += piece
    return bytes(data)
