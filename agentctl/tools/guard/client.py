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
from agentctl.tools.guard.answers import explain_end, open_answer, read_frame, unreadable
from agentctl.tools.guard.frames import ANSWER, ARGUMENT, REQUEST, STARTED, STATUS, pack

MOST_ANSWER = 8_000_000
_KINDS = (ANSWER, STARTED, STATUS)
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
        kind, body = await read_frame(connection, _KINDS, MOST_ANSWER)
        if kind == STARTED:
            async with asyncio.timeout(seconds + GRACE):
                kind, body = await read_frame(connection, _KINDS, MOST_ANSWER)
    except TimeoutError:
        raise _took_longer(seconds) from None
    except (EOFError, ConnectionResetError):
        raise ToolError("the tool's helper process ended without an answer") from None
    if kind == ANSWER:
        return open_answer(body)
    if kind == STATUS:
        raise _explain(int(body), seconds, memory)
    raise unreadable()


def _explain(code: int, seconds: float, memory: int) -> ToolError:
    if code in (-signal.SIGALRM, -signal.SIGXCPU):
        return _took_longer(seconds)
    return explain_end(code, memory)


def _took_longer(seconds: float) -> ToolTimeoutError:
    return ToolTimeoutError(f"the call took longer than {seconds:g} s")


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
