"""What comes back from a process that runs a call: its frames, its answer, or how it ended without one."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from typing import Any

from agentctl.tools.failure import ToolError
from agentctl.tools.guard.frames import HEADER, OUT_OF_MEMORY
from agentctl.tools.signals import name_signal


async def read_frame(connection: socket.socket, kinds: tuple[bytes, ...], most: int) -> tuple[bytes, bytes]:
    """One frame, as (kind, body), of these kinds and at most so many bytes.

    Raises ToolError for any other, EOFError when it is cut off.
    """
    kind, length = HEADER.unpack(await _read(connection, HEADER.size))
    if kind not in kinds:
        raise unreadable()
    if length > most:
        raise ToolError(f"the result is larger than {most // 1_000_000} MB")
    return kind, await _read(connection, length)


def open_answer(body: bytes) -> Any:
    """The value in an answer. Raises ToolError with the error that is in it instead."""
    try:
        found = json.loads(body)
        if "value" in found:
            return found["value"]
        if "error" in found:
            raise ToolError(str(found["error"]), data=found.get("data"))
        raise ToolError(f"the tool failed unexpectedly ({found['crash']})")
    except (ValueError, TypeError, KeyError, RecursionError):
        raise unreadable() from None


def unreadable() -> ToolError:
    """The error of a process that does not keep to the frames."""
    return ToolError("the tool gave no readable answer")


def explain_end(code: int | None, memory: int) -> ToolError:
    """The error of a process that ended without an answer: its exit code or, negative, the signal.

    `memory` is what it was allowed, in megabytes.
    """
    if code == OUT_OF_MEMORY:
        return ToolError(f"the tool needed more than {memory} MB of memory")
    if code == -signal.SIGKILL:
        return ToolError("the tool was killed by the system, most likely for want of memory")
    if code is not None and code < 0 and code != -signal.SIGTERM:
        return ToolError(f"the tool crashed ({name_signal(-code)})")
    ended = f" (exit code {code})" if code is not None and code >= 0 else ""
    return ToolError(f"the tool ended without an answer{ended}")


async def _read(connection: socket.socket, count: int) -> bytes:
    loop = asyncio.get_running_loop()
    data = bytearray()
    while len(data) < count:
        piece = await loop.sock_recv(connection, min(count - len(data), 1 << 18))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)
