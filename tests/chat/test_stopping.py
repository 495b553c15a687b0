"""Who ends a run: the process that works on it, or where there is none whoever wants it ended."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from agentctl.chat.holder import current_holder
from agentctl.chat.stopping import await_end, request_stop
from agentctl.domain.agent import Agent
from agentctl.domain.run import Holder
from agentctl.store import Store
from agentctl.store.runs import NewRun

BY = {"user": "tester", "os_user": "root", "pid": 1}


def start(store: Store, holder: Holder) -> str:
    store.agents.put(Agent("coder", "Coder"))
    user, agent = store.users.ensure("tester").id, store.agents.require("coder")
    session = store.sessions.create(user, agent.id, "coder", None, 0)
    run = store.runs.start(NewRun(session, user, "coder", "p/m", "/", 0, {}))
    store.runs.take(run, holder)
    return run


@pytest.mark.parametrize("change", [{}, {"host": "elsewhere", "boot_id": "another"}])
def test_a_process_that_lives_or_cannot_be_seen_is_asked_and_the_first_who_asks_counts(
    store: Store, change: dict[str, str]
) -> None:
    run = start(store, replace(current_holder(), **change))  # type: ignore[arg-type]
    assert request_stop(store, run, BY).status == "running"
    request_stop(store, run, {**BY, "user": "second"})
    assert store.stops.find(run) == BY


def test_a_run_whose_process_is_gone_is_ended_at_once(store: Store) -> None:
    run = start(store, replace(current_holder(), boot_id="another"))
    ended = request_stop(store, run, BY)
    assert (ended.status, ended.exit_code) == ("aborted", 130)
    assert store.events.newest(run, "result") is not None


def test_a_run_that_has_ended_stays_as_it_is(store: Store) -> None:
    run = start(store, current_holder())
    store.runs.finish(run, "failed", outcome="failed", exit_code=75)
    assert request_stop(store, run, BY).status == "failed"
    assert store.stops.find(run) is None


def test_whoever_takes_a_run_up_again_does_not_find_the_old_request(store: Store) -> None:
    run = start(store, current_holder())
    request_stop(store, run, BY)
    store.runs.finish(run, "aborted", outcome="stopped", exit_code=130)
    store.runs.take(run, current_holder())
    assert store.stops.find(run) is None


def test_nobody_waits_longer_than_they_want_to(store: Store) -> None:
    run = start(store, current_holder())
    assert await_end(store, run, BY, time.monotonic()).status == "running"
