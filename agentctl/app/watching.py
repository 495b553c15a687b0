"""What `attach` and `stop` do with the runs of one user: find them, watch one, end some."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from agentctl.chat.holder import os_user
from agentctl.domain.run import Run
from agentctl.domain.states import LIVE
from agentctl.domain.user import User
from agentctl.errors import Busy, NotFound, Stopped, UsageError
from agentctl.render.streams import Streams
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.chat.driver import Audience

T = TypeVar("T")

# A run takes half a second to stop; a tool that it has to end first may take a little more.
PATIENCE_SECONDS = 10.0


class Watching:
    """The runs of `user`, from outside of their processes."""

    def __init__(self, store: Store, user: User, streams: Streams) -> None:
        self._store = store
        self._user = user
        self._streams = streams

    def find(self, given: str) -> Run:
        """The run that is meant: by its id, by that of its session, by a part of one, or as the newest.

        A session, and `@last`, mean a run that goes on where there is one. Raises NotFound, UsageError.
        """
        if given == "@last":
            live = self._store.run_lists.live(self._user.id)
            return live[0] if live else self._store.runs.find(self._user.id, given)
        run = _found(partial(self._store.runs.find, self._user.id, given))
        session = _found(partial(self._store.sessions.find, self._user.id, given))
        if run is not None and session is not None:
            raise UsageError(
                f'"{given}" means run {run.id} and session {session.id}', hint="Give more of the id."
            )
        if session is not None:
            run = self._store.run_lists.newest(session.id)
        if run is None:
            what = f"session {session.id} has no run" if session else f'no run or session "{given}"'
            raise NotFound(what, hint="agentctl runs list shows them.")
        return run

    def attach(
        self, given: str, renderer: Callable[[bool], Audience], *, after: int = 0
    ) -> Mapping[str, Any]:
        """Show a run to its end; returns its result object.

        `renderer` makes what it is shown to; it is told whether only the last message counts.
        """
        from agentctl.chat.watching import watch

        run = self.find(given)
        audience = renderer(bool(run.settings.get("schema")))
        try:
            return watch(self._store, run, audience, after=after)
        except Stopped:
            if self._streams.stdout_is_terminal:
                # The terminal has written ^C behind the last word.
                self._streams.draw("\n")
            raise

    def stop(self, given: str | None) -> list[dict[str, Any]]:
        """End the run that is meant, or with None all that go on; returns a row for each, as it is then.

        Raises Busy where one did not stop in time.
        """
        from agentctl.chat.stopping import await_end, request_stop

        by = {"user": self._user.name, "os_user": os_user(), "pid": os.getpid()}
        chosen = self._store.run_lists.live(self._user.id) if given is None else [self.find(given)]
        for run in chosen:
            if run.status not in LIVE:
                self._streams.note(f"note: run {run.id} had ended before")
        deadline = time.monotonic() + PATIENCE_SECONDS
        asked = [request_stop(self._store, run.id, by) for run in chosen]
        ended = [await_end(self._store, run.id, by, deadline) for run in asked]
        _require_end(ended)
        return [{"id": run.id, "status": run.status} for run in ended]


def _found(find: Callable[[], T]) -> T | None:
    try:
        return find()
    except NotFound:
        return None


def _require_end(runs: Sequence[Run]) -> None:
    for run in runs:
        if run.status == "running":
            holder = run.holder
            where = f"process {holder.pid} on {holder.host}" if holder else "its process"
            raise Busy(
                f"run {run.id} was asked to stop and has not stopped within {PATIENCE_SECONDS:g} s: "
                f"{where} does not answer",
                hint=f"End that process; agentctl runs show {run.id} says what became of the run.",
            )
