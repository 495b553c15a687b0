"""Runs one turn as the whole work of a process: signals, a closed stdout and the loop around them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

from agentctl.chat.abort import Abort
from agentctl.chat.engine import Engine
from agentctl.domain.chat import ChatRequest
from agentctl.domain.event import Event
from agentctl.errors import OutputClosed, Stopped

SIGNALS = ("SIGHUP", "SIGINT", "SIGTERM")


def run_turn(
    engine: Engine,
    request: ChatRequest,
    show: Callable[[Event], None],
    close: Callable[[], Awaitable[None]],
) -> Mapping[str, Any]:
    """Run a turn to its end and return the result object; `close` lets go of connections.

    Raises OutputClosed where nobody read the answer to its end.
    """
    return asyncio.run(_drive(engine, request, show, close))


async def _drive(
    engine: Engine,
    request: ChatRequest,
    show: Callable[[Event], None],
    close: Callable[[], Awaitable[None]],
) -> Mapping[str, Any]:
    task = asyncio.current_task()
    assert task is not None
    abort = Abort(task)
    _catch_signals(abort)
    result: Mapping[str, Any] = {}
    try:
        async with aclosing(engine.run(request, abort)) as events:
            async for event in events:
                if event.type == "result":
                    result = event.data
                _show(event, show, abort)
    finally:
        await close()
    if isinstance(abort.error, OutputClosed):
        raise abort.error
    return result


def _show(event: Event, show: Callable[[Event], None], abort: Abort) -> None:
    """Show an event; once stdout is closed the run is ended and nothing more is shown."""
    if isinstance(abort.error, OutputClosed):
        return
    try:
        show(event)
    except OutputClosed as closed:
        abort.trigger(closed)


def _catch_signals(abort: Abort) -> None:
    loop = asyncio.get_running_loop()
    for name in SIGNALS:
        number = getattr(signal, name, None)
        # nohup and background jobs ignore some signals on purpose; that stays so.
        if number is None or signal.getsignal(number) is signal.SIG_IGN:
            continue
        loop.add_signal_handler(number, _stop, abort, number)


def _stop(abort: Abort, number: signal.Signals) -> None:
    if isinstance(abort.error, Stopped):
        # Asked twice: leave at once. What was said is in the event buffer, and the next turn picks it up.
        os._exit(128 + number)
    abort.trigger(Stopped(f"stopped by {number.name}", signal=number))
