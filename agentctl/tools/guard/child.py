"""What a guarded child does between its birth and its exit: limits, one function, one answer."""

from __future__ import annotations

import json
import os
import resource
from importlib import import_module

from agentctl.tools.failure import ToolError
from agentctl.tools.guard.frames import ANSWER, FAILED, OUT_OF_MEMORY, pack, unpack
from agentctl.tools.guard.limits import end_after, lower
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
    end_after(timeout)
    lower(resource.RLIMIT_CPU, int(timeout) + 1)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, 0)
    lower(resource.RLIMIT_AS, _address_space() + memory * 1_000_000)


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
