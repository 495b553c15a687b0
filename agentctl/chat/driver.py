"""Runs one turn as the whole work of a process: signals, a slow or closed stdout, the loop itself."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any, Protocol

from agentctl.chat.abort import Abort
from agentctl.chat.opening import Opening
from agentctl.domain.chat import ChatRequest
from agentctl.domain.event import Event
from agentctl.domain.ids import now_ms
from agentctl.domain.outcome import RunResult, describe
from agentctl.errors import AgentctlError, OutputClosed, Stopped

SIGNALS = ("SIGHUP", "SIGINT", "SIGTERM")
LAST_WORDS_SECONDS = 1.0


class Runner(Protocol):
    """What runs turns: the engine, or one whose runs are recorded or replayed."""

    def open(self, request: ChatRequest) -> Opening:
        """Everything a run needs before its first row."""
        ...

    def run(self, opening: Opening, abort: Abort) -> AsyncGenerator[Event, None]:
        """The events of one run; the last is always `result`."""
        ...


class Audience(Protocol):
    """Whoever the events of a run are shown to."""

    def show(self, event: Event) -> None:
        """Take one event."""
        ...

    async def drain(self) -> None:
        """Pass on what was taken; may wait, may be cancelled. Raises OutputClosed."""
        ...


def run_turn(
    engine: Runner, opening: Opening, audience: Audience, close: Callable[[], Awaitable[None]]
) -> Mapping[str, Any]:
    """Run a turn to its end and return the result object; `close` lets go of connections.

    Raises Busy before anything is stored; OutputClosed, Stopped or TimeLimit where the end of the answer
    reached nobody.
    """
    return asyncio.run(_drive(engine, opening, audience, close))


async def _drive(
    engine: Runner, opening: Opening, audience: Audience, close: Callable[[], Awaitable[None]]
) -> Mapping[str, Any]:
    task = asyncio.current_task()
    assert task is not None
    abort = Abort(task)
    catch_signals(abort)
    result: Mapping[str, Any] = {}
    delivered = True
    started: Event | None = None
    try:
        async with aclosing(engine.run(opening, abort)) as events:
            async for event in events:
                if event.type == "result":
                    result = event.data
                started = event if event.type == "init" else started
                delivered = await _show(event, audience, abort) and delivered
    except AgentctlError as error:
        # The ending itself could not be committed (a full disk): what is known is said all the same.
        if started is None or result:
            raise
        lost = _lost(started, error)
        result = lost.data
        await _show(lost, audience, abort)
    finally:
        await abort.settle()
        await close()
    if abort.error is not None and (isinstance(abort.error, OutputClosed) or not delivered):
        raise abort.error
    return result


async def _show(event: Event, audience: Audience, abort: Abort) -> bool:
    """Show an event; False where not all of it could be passed on, which ends the run."""
    if isinstance(abort.error, OutputClosed):
        return False
    audience.show(event)
    try:
        if abort.error is None:
            await audience.drain()
        else:
            # The reader may be what the run was ended for, so the last words do not wait for it for long.
            await asyncio.wait_for(audience.drain(), LAST_WORDS_SECONDS)
    except TimeoutError:
        return False
    except OutputClosed as closed:
        if event.type == "result":
            abort.remember(closed)
        else:
            abort.trigger(closed)
        return False
    except asyncio.CancelledError:
        if abort.error is None:
            raise
        abort.pass_on()
        return event.type != "result"
    return True


def _lost(started: Event, error: AgentctlError) -> Event:
    """The result of a run that began and whose end could not be stored."""
    result = RunResult(
        "failed",
        error.code,
        run_id=started.data["run_id"],
        session_id=started.data["session_id"],
        agent=started.data["agent"],
        model=started.data["model"],
        error=describe(error.kind, error.message, error.hint),
    )
    return Event("result", result.as_dict(), started.seq + 1, now_ms())


def catch_signals(abort: Abort) -> None:
    """Make the signals that end a process end what `abort` is for; a second one ends the process at once."""
    loop = asyncio.get_running_loop()
    caught: list[int] = []

    def stop(number: signal.Signals) -> None:
        if caught:
            # Asked twice: leave at once. What was said is stored, and the next turn picks it up.
            os._exit(128 + number)
        caught.append(number)
        abort.trigger(Stopped(f"stopped by {number.name}", signal=number))

    for name in SIGNALS:
        number = getattr(signal, name, None)
        # nohup and background jobs ignore some signals on purpose; that stays so.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, stop, number)
