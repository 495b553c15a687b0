"""Leaves the rest of a command to a process of its own, which the terminal cannot take with it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from agentctl.domain.event import Event
from agentctl.domain.value import value
from agentctl.errors import UsageError


@value
class Left:
    """What the process that was left behind said of its run; None where it ended first, with this code."""

    run: Mapping[str, Any] | None
    code: int


class Detached:
    """An audience that nobody is: it announces the run, and then lets go of the terminal."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def show(self, event: Event) -> None:
        """Take one event."""
        if event.type == "init":
            os.write(self._pipe, json.dumps(dict(event.data)).encode())
            os.close(self._pipe)
            # Nobody is there who reads or types; what was opened for that would hold the terminal up.
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)

    async def drain(self) -> None:
        """Nothing waits."""


def leave() -> Left | int:
    """Fork: the new process gets the pipe to announce its run on, and goes on with the command.

    The old one waits until the run is committed. Call it before anything was opened. Raises UsageError.
    """
    if not hasattr(os, "fork"):
        raise UsageError("--detach needs a system with fork", hint="Run it in the background of your shell.")
    sys.stdout.flush()
    sys.stderr.flush()
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        os.setsid()
        return write_end
    os.close(write_end)
    with os.fdopen(read_end, encoding="utf-8") as pipe:
        said = pipe.read()
    if said:
        return Left(json.loads(said), 0)
    return Left(None, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
