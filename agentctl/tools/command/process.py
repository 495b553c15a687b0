"""Runs one program to its end: without a terminal, within its time, and nothing that it started is left."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from threading import Thread
from typing import Any

from agentctl.domain.value import value
from agentctl.tools.command.family import Family
from agentctl.tools.command.streams import MOST_OUTPUT, Sink, drain, feed
from agentctl.tools.failure import ToolError

# How long what was asked to end may take before it is killed.
_PAUSES = (0.02, 0.04, 0.09, 0.15, 0.2)
_MOST_ROUNDS = 10
# How long pipes are read after the program has ended, where something that it started holds them.
LINGER = 0.5


@value
class Launch:
    """A program with everything that it needs: `mark` stands in its environment and tells it from others.

    `stdin` None is an empty one; `fds` are descriptors that it gets besides.
    """

    words: Sequence[str]
    program: str
    cwd: str
    environment: Mapping[str, str]
    mark: str
    stdin: bytes | None = None
    fds: tuple[int, ...] = ()


@value
class Ended:
    """How a program ended; `code` is None where its time or its room for output was over (`why` says so)."""

    code: int | None
    stdout: Sink
    stderr: Sink
    why: str | None = None


async def run_program(launch: Launch, *, seconds: float, most_output: int) -> Ended:
    """Run it for so long, and keep so many bytes of each stream.

    Raises ToolError where it cannot be started; a cancellation ends all that it started.
    """
    flood = asyncio.Event()
    stdout, stderr = Sink(most_output, flood.set), Sink(most_output, flood.set)
    why = None
    async with started(launch) as (process, exited, pipes):
        reading = [
            asyncio.create_task(drain(pipes["stdout"], stdout)),
            asyncio.create_task(drain(pipes["stderr"], stderr)),
        ]
        feeding = asyncio.create_task(_feed(pipes, launch.stdin))
        flooded = asyncio.create_task(flood.wait())
        try:
            first: set[asyncio.Future[Any]] = {exited, flooded}
            await asyncio.wait(first, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if exited.done():
                await asyncio.wait(reading, timeout=LINGER)
            elif flood.is_set():
                why = f"it wrote more than {MOST_OUTPUT // 1_000_000} MB"
            else:
                why = f"it took longer than {seconds:g} s"
        finally:
            for task in (*reading, feeding, flooded):
                task.cancel()
            await asyncio.gather(*reading, feeding, flooded, return_exceptions=True)
    return Ended(None if why else process.returncode, stdout, stderr, why)


@asynccontextmanager
async def started(
    launch: Launch,
) -> AsyncIterator[tuple[subprocess.Popen[bytes], asyncio.Future[None], dict[str, int]]]:
    """The program, the future of its end, and our ends of its pipes; on leaving, everything is ended."""
    theirs: dict[str, int] = {}
    ours: dict[str, int] = {}
    try:
        for name in ("stdout", "stderr"):
            ours[name], theirs[name] = os.pipe()
        if launch.stdin is not None:
            theirs["stdin"], ours["stdin"] = os.pipe()
        process = _start(launch, theirs)
        for fd in theirs.values():
            os.close(fd)
        theirs.clear()
        exited = _watch_exit(process)
        family = Family(process.pid, launch.mark.encode())
        try:
            yield process, exited, ours
        finally:
            await _end(process, exited, family)
    except OSError as error:  # no more pipes
        raise ToolError(f"the program could not be started ({error.strerror})") from None
    finally:
        for fd in (*theirs.values(), *ours.values()):
            os.close(fd)


def _start(launch: Launch, pipes: Mapping[str, int]) -> subprocess.Popen[bytes]:
    try:
        # A session of its own: no terminal to ask on or to stop with, and one group for all that it starts.
        return subprocess.Popen(
            launch.words,
            executable=launch.program,
            cwd=launch.cwd,
            env=launch.environment,
            stdin=pipes.get("stdin", subprocess.DEVNULL),
            stdout=pipes["stdout"],
            stderr=pipes["stderr"],
            pass_fds=launch.fds,
            start_new_session=True,
        )
    except OSError as error:
        if error.errno == errno.E2BIG:
            raise ToolError("the arguments are longer than this system can hand to a program") from None
        if error.errno == errno.ENOEXEC:
            raise ToolError(f"{launch.program} is no program (a script needs a #! line)") from None
        raise ToolError(f"{launch.program} could not be started ({error.strerror})") from None


def _watch_exit(process: subprocess.Popen[bytes]) -> asyncio.Future[None]:
    """Done when the program has ended. On Linux it is not reaped then, so that its number stays its own."""
    loop = asyncio.get_running_loop()
    exited: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not exited.done():
            exited.set_result(None)

    try:
        fd = os.pidfd_open(process.pid)
    except (AttributeError, OSError):

        def wait() -> None:
            process.wait()
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(tell)

        Thread(target=wait, daemon=True).start()
        return exited
    loop.add_reader(fd, tell)

    def forget(_: object) -> None:
        loop.remove_reader(fd)
        os.close(fd)

    exited.add_done_callback(forget)
    return exited


async def _end(process: subprocess.Popen[bytes], exited: asyncio.Future[None], family: Family) -> None:
    """Ask everything that still runs to end, wait a moment, kill what is left, and reap the program."""
    is_over = exited.done() and not family.find()
    try:
        if not is_over:
            family.send(signal.SIGTERM)
            for seconds in _PAUSES:
                await asyncio.sleep(seconds)
                is_over = exited.done() and not family.find()
                if is_over:
                    break
    finally:
        # Also where even the waiting is cancelled. What was started meanwhile is killed with the next round.
        rounds = 0
        while not is_over and rounds < _MOST_ROUNDS:
            family.send(signal.SIGKILL)
            is_over = not family.find()
            rounds += 1
        _reap(process)
        exited.cancel()


def _reap(process: subprocess.Popen[bytes]) -> None:
    """A killed program ends at once, unless it hangs in the system; nobody waits for that."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(0.2)


async def _feed(pipes: dict[str, int], data: bytes | None) -> None:
    if data is not None:
        await feed(pipes["stdin"], data)
        os.close(pipes.pop("stdin"))
