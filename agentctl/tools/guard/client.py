"""Runs a function in a guarded child and waits for its answer."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import weakref
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import agentctl
from agentctl.tools.failure import ToolError, ToolTimeoutError
from agentctl.tools.guard.frames import (
    ANSWER,
    ARGUMENT,
    HEADER,
    OUT_OF_MEMORY,
    REQUEST,
    STARTED,
    STATUS,
    pack,
)
from agentctl.tools.signals import name_signal

MOST_ANSWER = 8_000_000
GRACE = 2.0  # the child stops itself; this is for one that cannot, on a machine that is stopped or swamped

_BOOT = """
import sys
sys.path.append(sys.argv[1])
from agentctl.tools.guard.server import serve
serve(int(sys.argv[2]))
"""


async def run_guarded(
    target: str,
    argument: Any,
    *,
    timeout: float,  # noqa: ASYNC109 - a limit that the child arms for itself
    memory: int = 256,
) -> Any:
    """Call `module:function` with one JSON argument in a child process and return its JSON result.

    `timeout` is in seconds from the child's start, `memory` in megabytes above a bare child's. Raises
    ToolError with the function's own message, or one that says how the child ended; ToolTimeoutError at the
    deadline. A call that is cancelled kills its child.
    """
    if sys.platform == "win32" or not sys.executable:
        raise ToolError("this tool needs a POSIX system (Linux or macOS)")
    request = json.dumps({"target": target, "timeout": timeout, "memory": memory}).encode()
    body = json.dumps(argument, ensure_ascii=False).encode("utf-8", "surrogatepass")
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            ours.sendall(pack(REQUEST, request))
            ours.setblocking(False)
            await _hand_over(theirs)
        return await _exchange(ours, pack(ARGUMENT, body), timeout, memory)


async def _hand_over(connection: socket.socket) -> None:
    for _ in range(2):
        try:
            await _server(os.getpid()).take(connection)
        except (BrokenPipeError, ConnectionResetError):  # somebody killed the server: start another
            _server.cache_clear()
        else:
            return
    raise ToolError("no helper process could be started")


async def _exchange(connection: socket.socket, argument: bytes, seconds: float, memory: int) -> Any:
    loop = asyncio.get_running_loop()
    try:
        with suppress(BrokenPipeError, ConnectionResetError):  # why it ended is still to be read
            await loop.sock_sendall(connection, argument)
        kind, body = await _read(connection)
        if kind == STARTED:
            async with asyncio.timeout(seconds + GRACE):
                kind, body = await _read(connection)
    except TimeoutError:
        raise _took_longer(seconds) from None
    except (EOFError, ConnectionResetError):
        raise ToolError("the call's helper process ended without an answer") from None
    if kind == ANSWER:
        return _open(body)
    if kind == STATUS:
        raise _explain(int(body), seconds, memory)
    raise ToolError("the call gave no readable answer")


def _open(body: bytes) -> Any:
    try:
        answer = json.loads(body)
        if "value" in answer:
            return answer["value"]
        if "error" in answer:
            raise ToolError(answer["error"])
        raise ToolError(f"the call failed: {answer['crash']}")
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ToolError("the call gave no readable answer") from None


def _explain(code: int, seconds: float, memory: int) -> ToolError:
    if code in (-signal.SIGALRM, -signal.SIGXCPU):
        return _took_longer(seconds)
    if code == OUT_OF_MEMORY:
        return ToolError(f"the call needed more than {memory} MB of memory")
    if code == -signal.SIGKILL:
        return ToolError("the call was killed by the system, most likely for want of memory")
    if code < 0:
        return ToolError(f"the call crashed ({name_signal(-code)})")
    return ToolError(f"the call ended without an answer (exit code {code})")


def _took_longer(seconds: float) -> ToolTimeoutError:
    return ToolTimeoutError(f"the call took longer than {seconds:g} s")


async def _read(connection: socket.socket) -> tuple[bytes, bytes]:
    kind, length = HEADER.unpack(await _exactly(connection, HEADER.size))
    if kind not in (STARTED, ANSWER, STATUS):
        raise ToolError("the call gave no readable answer")
    if length > MOST_ANSWER:
        raise ToolError(f"the result is larger than {MOST_ANSWER // 1_000_000} MB")
    return kind, await _exactly(connection, length)


async def _exactly(connection: socket.socket, count: int) -> bytes:
    loop = asyncio.get_running_loop()
    data = bytearray()
    while len(data) < count:
        piece = await loop.sock_recv(connection, min(count - len(data), 1 << 16))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


@lru_cache(maxsize=1)
def _server(pid: int) -> _Server:
    """The fork server of process `pid`; a forked copy of this process gets one of its own."""
    return _Server()


class _Server:
    """The other side of one fork server; the server ends when this object or its process does."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        self.control.setblocking(False)
        with theirs:
            try:
                process = _spawn(theirs.fileno())
            except OSError as error:
                self.control.close()
                raise ToolError(f"no helper process could be started ({error})") from None
        weakref.finalize(self, _end, self.control, process)

    async def take(self, connection: socket.socket) -> None:
        """Pass one end of a call's socket to the server. Raises BrokenPipeError when the server is gone."""
        while True:
            try:
                socket.send_fds(self.control, [b"c"], [connection.fileno()])
            except BlockingIOError:
                await asyncio.sleep(0.01)
            else:
                return


def _spawn(fd: int) -> subprocess.Popen[bytes]:
    root = str(Path(agentctl.__file__).resolve().parent.parent)
    # Isolated and without site: nothing of the user's Python set-up runs. A session of its own: Ctrl-C in the
    # terminal does not reach it. No output: it can never hold or write to the stdout of this process.
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _BOOT, root, str(fd)]
    return subprocess.Popen(
        command,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(fd,),
        start_new_session=True,
    )


def _end(control: socket.socket, process: subprocess.Popen[bytes]) -> None:
    control.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(1)
