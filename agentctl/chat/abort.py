"""One way to end a run from outside: a signal, a time limit or a closed stdout."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from agentctl.errors import AgentctlError


class Abort:
    """Cancels the task that runs the engine and remembers why; the first reason counts."""

    def __init__(self, task: asyncio.Task[object]) -> None:
        self._task: asyncio.Task[object] | None = task
        self.error: AgentctlError | None = None

    def trigger(self, error: AgentctlError) -> None:
        """End the run for this reason; it saves what it has and reports."""
        if self.error is None:
            self.error = error
            if self._task is not None:
                self._task.cancel()

    def accept(self) -> AgentctlError | None:
        """The reason for a cancellation that was caught, or None where it came from somewhere else."""
        if self.error is not None and self._task is not None:
            self._task.uncancel()
        return self.error

    def remember(self, error: AgentctlError) -> None:
        """Note a reason after the run has ended; there is nothing left to cancel."""
        if self.error is None:
            self.error = error

    def pass_on(self) -> None:
        """Hand a cancellation that hit the showing of an event on to the engine, at its next wait."""
        if self._task is not None:
            self._task.uncancel()
            self._task.cancel()

    async def settle(self) -> None:
        """The run is over: take a cancellation that was still on its way, and cancel no more."""
        self._task = None
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
