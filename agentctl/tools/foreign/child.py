"""What the process of one call does: limits, one tool, one answer."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import select
import signal
import socket
import sys
from collections.abc import Mapping
from importlib import import_module
from threading import Lock, Thread
from typing import Any

from agentctl.domain.tool import ToolContext
from agentctl.errors import CredentialsError
from agentctl.tools.base import ToolError, ToolType
from agentctl.tools.config import read_config
from agentctl.tools.foreign.asking import make_services
from agentctl.tools.guard.frames import ANSWER, ASK, OUT_OF_MEMORY, REPLY, pack, unpack
from agentctl.tools.guard.limits import end_after, lower
from agentctl.tools.result import encode, name_error

# How many processes and threads a call may add to those of the whole system; root is not held to it.
_MOST_TASKS = 500
# Characters of what an unexpected error says.
_NAME_LENGTH = 5_000


def serve(fd: int) -> None:
    """Answer the one call that comes on the socket `fd`. The process ends by itself when its time is over."""
    connection = socket.socket(fileno=fd)
    connection.set_inheritable(False)
    Thread(target=_die_with, args=(connection,), daemon=True).start()
    os.dup2(1, 2)
    sys.argv = ["agentctl-tool"]
    own = os.getpid()
    call = json.loads(unpack(connection.recv)[1])
    try:
        _limit(call["seconds"], call["memory"])
        said = _perform(call, _Line(connection))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    if os.getpid() != own:
        os._exit(0)  # a copy of this process that the tool made and let come back
    connection.sendall(pack(ANSWER, said))


def _die_with(connection: socket.socket) -> None:
    """End this process and its children when agentctl is gone, whatever ended it."""
    watch = select.poll()
    watch.register(connection, select.POLLHUP)
    watch.poll()
    os.killpg(0, signal.SIGKILL)


def _perform(call: Mapping[str, Any], line: _Line) -> bytes:
    try:
        data = asyncio.run(_run(call, line))
    except ToolError as error:
        return _as_json({"error": str(error), "data": error.data})
    except MemoryError:
        raise
    except BaseException as error:
        return json.dumps({"crash": name_error(error)[:_NAME_LENGTH]}).encode()
    return _as_json({"value": data})


async def _run(call: Mapping[str, Any], line: _Line) -> Any:
    module, _, name = call["place"].partition(":")
    cls: type[ToolType] = getattr(import_module(module), name)
    config, faults = read_config(cls, call["config"])
    services = make_services(line.ask, locale=call["locale"], time_zone=call["time_zone"], cwd=os.getcwd())
    tool = cls(config, services)
    values, wrong = tool.check(call["arguments"])
    if faults or wrong:
        raise ToolError(f"the tool checks the same call differently: {'; '.join([*faults, *wrong])}")
    return await tool.run(values, ToolContext(**call["context"]))


class _Line:
    """The way to agentctl, one question at a time, from any thread."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lock = Lock()

    def ask(self, *question: Any) -> Any:
        """What agentctl says to a question. Raises CredentialsError where it says no."""
        with self._lock:
            self._connection.sendall(pack(ASK, json.dumps(question).encode()))
            kind, body = unpack(self._connection.recv)
        said = json.loads(body) if kind == REPLY else {}
        if "value" not in said:
            raise CredentialsError(said.get("error", "agentctl is gone"))
        return said["value"]


def _limit(seconds: float, memory: int) -> None:
    # The kernel ends a process whose threads hear of nothing, because one of them holds the interpreter.
    end_after(seconds)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_DATA, memory * 1_000_000)
    try:
        with open("/proc/loadavg", encoding="ascii") as file:
            tasks = int(file.read().split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return
    lower(resource.RLIMIT_NPROC, tasks + _MOST_TASKS)


def _as_json(said: Mapping[str, Any]) -> bytes:
    try:
        return encode(said)
    except ToolError as error:
        return json.dumps({"error": str(error)[:_NAME_LENGTH]}).encode()
