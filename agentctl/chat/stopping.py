"""Stops a run from any process: the one that works on it is asked to, a run that has none is ended here."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from agentctl.chat.closing import close_run
from agentctl.chat.holder import is_gone
from agentctl.chat.takeover import take_run
from agentctl.domain.run import Run
from agentctl.domain.states import LIVE
from agentctl.store import Store

LOOK_SECONDS = 0.05


def request_stop(store: Store, run_id: str, by: Mapping[str, Any]) -> Run:
    """Ask the process of a run to stop, or end the run where none works on it; returns it as it is now.

    `by` says who wants it (`user`, `os_user`, `pid`). A run that has ended stays as it is.
    """
    with store.transaction(durable=True):
        run = store.runs.get(run_id)
        if run.status == "running" and not is_gone(run):
            store.stops.request(run_id, by)
        elif run.status in LIVE:
            # What its process had said is kept first.
            take_run(store, run)
            close_run(store, run, f"stopped by {by['user']} (process {by['pid']})")
    return store.runs.get(run_id)


def await_end(store: Store, run_id: str, by: Mapping[str, Any], deadline: float) -> Run:
    """Wait until a run that was asked to stop has; returns it as it is then, or at `deadline`.

    A process that dies meanwhile is stopped for. `deadline` is a time of the monotonic clock.
    """
    run = store.runs.get(run_id)
    while run.status == "running" and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
        run = store.runs.get(run_id)
        if is_gone(run):
            run = request_stop(store, run_id, by)
    return run
