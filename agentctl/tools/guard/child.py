"""What a guarded child does between its birth and its exit: limits, one function, one answer."""

from __future__ import annotations

import json
import os
import resource
import signal
from importlib import import_module

from agentctl.tools.failure import ToolError
from agentctl.tools.guard.frames import ANSWER, FAILED, OUT_OF_MEMORY, pack, unpack
from agentctl.tools.result import name_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping
    from typing import Any


def run_child(connection: socket.socket, request: Mapping[str, Any]) -> None:
    """Answer one request on `connection` and end this process; never returns and never raises."""
    code = FAILED
    try:
        _limit(request["timeout"], request["memory"])
        _, argument = unpack(connection.recv)
        connection.sendall(pack(ANSWER, _answer(request["target"], json.loads(argument))))
        code = 0
    except MemoryError:
        code = OUT_OF_MEMORY
    finally:
        os._exit(code)


def _limit(timeout: float, memory: int) -> None:
    # The kernel ends the process at the deadline, whatever C code it is in, with or without a parent.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, timeout)
    seconds = int(timeout) + 1
    _set_limit(resource.RLIMIT_CPU, seconds)
    _set_limit(resource.RLIMIT_CORE, 0)
    _set_limit(resource.RLIMIT_FSIZE, 0)
    _set_limit(resource.RLIMIT_AS, _address_space() + memory * 1_000_000)


def _set_limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (OSError, ValueError):  # macOS refuses RLIMIT_AS; the deadline still holds there
        return


def _address_space() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1_000_000_000


def _answer(target: str, argument: Any) -> bytes:
    module, _, name = target.partition(":")
    try:
        value = getattr(import_module(module), name)(argument)
        return json.dumps({"value": value}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except ToolError as error:
        return json.dumps({"error": str(error)}).encode()
    except MemoryError:
        raise
    except BaseException as error:
        return json.dumps({"crash": name_error(error)[:500]}).encode()
