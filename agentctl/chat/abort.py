"""One way to end a run from outside: a signal, a time limit or a closed stdout."""

from __future__ import annotations

import asyncio

from agentctl.errors import AgentctlError


class Abort:
    """Cancels the task that runs the engine and remembers why; the first reason counts."""

    def __init__(self, task: asyncio.Task[object]) -> None:
        self._task = task
        self.error: AgentctlError | None = None

    def trigger(self, error: AgentctlError) -> None:
        """End the run for this reason; it saves what it has and reports."""
        if self.error is None:
            self.error = error
            self._task.cancel()

    def accept(self) -> AgentctlError | None:
        """The reason for a cancellation that was caught, or None where it came from somewhere else."""
        if self.error is not None:
            self._task.uncancel()
        return self.error
