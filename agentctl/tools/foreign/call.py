"""One call of a tool of a package: starts its process, answers what it asks for, explains how it ended."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from agentctl.domain.tool import ToolContext
from agentctl.tools.base import ToolType
from agentctl.tools.command.environment import build_environment
from agentctl.tools.command.process import LINGER, Launch, started
from agentctl.tools.command.streams import MOST_OUTPUT, Sink, drain
from agentctl.tools.failure import ToolError
from agentctl.tools.foreign.asking import answer
from agentctl.tools.guard.answers import explain_end, open_answer, read_frame
from agentctl.tools.guard.frames import ANSWER, ASK, REPLY, REQUEST, pack
from agentctl.tools.installed import find_place
from agentctl.tools.result import LARGEST

# Bytes of what a tool prints that are kept.
PRINTED = 2_000
# Seconds after which the process ends by itself, should this one be gone; the caller watches the clock.
_SURPLUS = 5.0

_BOOT = """
import sys
sys.path[:] = sys.argv[2:]
from agentctl.tools.foreign.child import serve
serve(int(sys.argv[1]))
"""


async def run_foreign(
    tool: ToolType, arguments: Mapping[str, Any], context: ToolContext, metadata: dict[str, Any]
) -> Any:
    """What the tool gives for these arguments, as JSON data; what it prints goes into `metadata`.

    Raises ToolError with the tool's own message, or one that says how its process ended.
    A cancellation ends the process and everything that it started.
    """
    if sys.platform == "win32" or not sys.executable:
        raise ToolError("tools of packages need a POSIX system (Linux or macOS)")
    flood = asyncio.Event()
    printed = Sink(PRINTED, flood.set)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        try:
            async with started(_launch(tool, theirs.fileno())) as (process, exited, pipes):
                theirs.close()
                reading = asyncio.create_task(drain(pipes["stdout"], printed))
                talk = asyncio.create_task(_talk(ours, _describe(tool, arguments, context), tool, context))
                await _wait(talk, exited, reading, flood)
        finally:
            if printed.total:
                metadata["printed"] = printed.text()
    if talk.cancelled():
        raise _explain(process.returncode, flood.is_set(), tool.memory)
    failure = talk.exception()
    if isinstance(failure, (EOFError, OSError)):
        raise _explain(process.returncode, flood.is_set(), tool.memory)
    return talk.result()


async def _wait(
    talk: asyncio.Task[Any], exited: asyncio.Future[None], reading: asyncio.Task[None], flood: asyncio.Event
) -> None:
    """Until the answer is there and the process has ended, or one of them has had its time."""
    flooded = asyncio.create_task(flood.wait())
    tasks = (talk, reading, flooded)
    try:
        await asyncio.wait((talk, exited, flooded), return_when=asyncio.FIRST_COMPLETED)
        if not flood.is_set():
            # The last words of a process that ended, and the end of one that gave its answer.
            await asyncio.wait((talk, exited), timeout=LINGER)
            await asyncio.wait((reading,), timeout=LINGER)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def _launch(tool: ToolType, fd: int) -> Launch:
    services = tool.services
    mark = os.urandom(12).hex()
    environment = build_environment(tool.find_variables(tool.config), services.find_variable, mark)
    folders = [folder for folder in sys.path if os.path.isabs(folder)]
    return Launch(
        words=[sys.executable, "-I", "-u", "-X", "utf8", "-c", _BOOT, str(fd), *folders],
        program=sys.executable,
        # A folder that was deleted meanwhile is no reason not to tell the time.
        cwd=services.cwd if os.path.isdir(services.cwd) else "/",
        environment=environment,
        mark=mark,
        fds=(fd,),
    )


def _describe(tool: ToolType, arguments: Mapping[str, Any], context: ToolContext) -> bytes:
    services = tool.services
    described = {
        "place": find_place(tool.type),
        "config": asdict(tool.config),
        "arguments": arguments,
        "context": asdict(context),
        "locale": services.locale,
        "time_zone": services.time_zone,
        "seconds": tool.config.timeout + _SURPLUS,
        "memory": tool.memory,
    }
    return json.dumps(described).encode()


async def _talk(connection: socket.socket, request: bytes, tool: ToolType, context: ToolContext) -> Any:
    """The answer to a request; until it comes, what the tool asks for is given. Raises EOFError."""
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(connection, pack(REQUEST, request))
    while True:
        kind, body = await read_frame(connection, (ANSWER, ASK), LARGEST)
        if kind == ANSWER:
            return open_answer(body)
        await loop.sock_sendall(connection, pack(REPLY, answer(tool, context, body)))


def _explain(code: int | None, flooded: bool, memory: int) -> ToolError:
    if flooded:
        return ToolError(f"the tool printed more than {MOST_OUTPUT // 1_000_000} MB")
    return explain_end(code, memory)
