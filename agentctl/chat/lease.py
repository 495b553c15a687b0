"""The right of one process to work on one run: checked with every write, kept up, and lost to a stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from agentctl.chat.abort import Abort
from agentctl.errors import AgentctlError, Busy, Stopped
from agentctl.store import Store

# A stop from another process takes effect within half a second.
CHECK_SECONDS = 0.2
BEAT_SECONDS = 5.0


class Lease:
    """One lease of one run; `number` is higher than that of whoever held the run before."""

    def __init__(self, store: Store, run_id: str, number: int) -> None:
        self._store = store
        self._run_id = run_id
        self._number = number

    @contextmanager
    def write(self, *, durable: bool = False) -> Iterator[None]:
        """A transaction of the run's.

        Raises Busy, with nothing written, where the run is somebody else's, and ConfigError where the file is
        gone: what is written then is lost.
        """
        self._store.require_file()
        with self._store.transaction(durable=durable):
            if not self._store.runs.holds(self._run_id, self._number):
                raise self._lost()
            yield

    async def watch(self, abort: Abort) -> None:
        """Say that the holder lives, and end the run where another process took it over or stopped it."""
        beaten = time.monotonic()
        while abort.error is None:
            await asyncio.sleep(CHECK_SECONDS)
            # The database may be locked for a moment; the next look finds what this one missed.
            with suppress(AgentctlError):
                stop = self._store.stops.find(self._run_id)
                if stop is not None:
                    abort.trigger(Stopped(f"stopped by {_who(stop)}"))
                elif not self._store.runs.holds(self._run_id, self._number):
                    abort.trigger(self._lost())
                elif time.monotonic() - beaten >= BEAT_SECONDS:
                    self._store.runs.beat(self._run_id, self._number)
                    beaten = time.monotonic()

    def _lost(self) -> Busy:
        return Busy(
            f"run {self._run_id} was taken over or ended by another process",
            hint=f"Watch it with agentctl attach {self._run_id}.",
        )


def _who(stop: Mapping[str, Any]) -> str:
    return f"{stop['user']} (process {stop['pid']})"
