"""Questions in the database: one answer, used once, in time, by nobody else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agentctl.domain.ids import clock_ms
from agentctl.errors import Busy, NotFound, UsageError
from agentctl.store import Store
from tests.waiting import HOUR, ask, begin_run, declare

WHO = {"user": "tester", "os_user": "root", "how": "test"}


def test_what_was_asked_is_found_as_it_was_asked(store: Store) -> None:
    approval = ask(store, begin_run(store), why="a rule", action="run")
    assert approval.user_id is not None
    assert store.approvals.find(approval.user_id, approval.id) == approval
    assert store.approvals.find(approval.user_id, approval.id[-8:]) == approval
    assert store.approvals.of_call(approval.call_id) == approval
    assert store.approvals.of_run(approval.run_id) == [approval]


def test_too_short_a_part_and_another_users_id_find_nothing(store: Store) -> None:
    approval = ask(store, begin_run(store))
    other = store.users.ensure("other").id
    assert approval.user_id is not None
    with pytest.raises(NotFound, match="no approval") as caught:
        store.approvals.find(approval.user_id, approval.id[-7:])
    assert "at least 8" in str(caught.value.hint)
    for given in ("@last", "ap_00000000"):
        with pytest.raises(NotFound):
            store.approvals.find(approval.user_id, given)
    with pytest.raises(NotFound):
        store.approvals.find(other, approval.id)
    assert list(store.approvals.search(other, status=None, session_id=None)) == []


def test_a_part_that_means_several_names_them(store: Store) -> None:
    place = begin_run(store)
    first, second = ask(store, place, id="ap_same0001_a"), ask(store, place, id="ap_same0001_b")
    with pytest.raises(UsageError, match="several approvals") as caught:
        store.approvals.find(place[0], "ap_same0001")
    assert first.id in str(caught.value)
    assert second.id in str(caught.value)


def test_an_answer_is_given_once_and_used_once(store: Store) -> None:
    approval = ask(store, begin_run(store))
    with pytest.raises(Busy, match="not answered yet"):
        store.approvals.consume(approval.id)
    edited = replace(approval, arguments={"expression": "2"}, action="add", tool_revision="r2", hash="h2")
    store.approvals.decide(edited, "approved", WHO, reason="fine")
    with pytest.raises(Busy, match="answered already: approved"):
        store.approvals.decide(approval, "denied", WHO)
    stored = store.approvals.of_call(approval.call_id)
    assert stored is not None
    assert stored.decided_at is not None
    assert stored == replace(
        edited, status="approved", decided_by=WHO, decided_at=stored.decided_at, reason="fine"
    )
    store.approvals.consume(approval.id)
    with pytest.raises(Busy, match="answered and used already"):
        store.approvals.consume(approval.id)
    assert store.approvals.of_call(approval.call_id) is None


def test_nothing_holds_when_its_time_is_over_though_nobody_marked_it(store: Store) -> None:
    place = begin_run(store)
    waiting, allowed, denied = (ask(store, place) for _ in range(3))
    store.approvals.decide(allowed, "approved", WHO)
    store.approvals.decide(denied, "denied", WHO)
    store.database.execute("UPDATE agent_approvals SET expires_at = ?", (clock_ms() - 1,))
    for approval in (waiting, allowed):
        assert store.approvals.find(place[0], approval.id).status == "expired"
    with pytest.raises(Busy, match="has expired"):
        store.approvals.decide(waiting, "approved", WHO)
    with pytest.raises(Busy, match="has expired"):
        store.approvals.consume(allowed.id)
    # A no stays a no.
    store.approvals.consume(denied.id)
    found = store.approvals.search(place[0], status="expired", session_id=None)
    assert {each.id for each in found} == {waiting.id, allowed.id}
    assert list(store.approvals.search(place[0], status="pending", session_id=None)) == []
    assert list(store.approvals.search(place[0], status="approved", session_id=None)) == []


def test_those_that_wait_come_first_then_the_newest(store: Store) -> None:
    place, elsewhere = begin_run(store), begin_run(store)
    now = clock_ms()
    old = ask(store, place, created_at=now - 30, expires_at=now + HOUR)
    answered = ask(store, place, created_at=now - 20, expires_at=now + HOUR)
    newest = ask(store, elsewhere, created_at=now - 10, expires_at=now + HOUR)
    store.approvals.decide(newest, "denied", WHO)
    store.approvals.decide(answered, "denied", WHO)

    def listed(**options: int) -> list[str]:
        found = store.approvals.search(place[0], status=None, session_id=None, **options)
        return [approval.id for approval in found]

    assert listed() == [old.id, newest.id, answered.id]
    assert listed(limit=1) == [old.id]
    assert listed(limit=1, offset=1) == [newest.id]
    assert listed(offset=2) == [answered.id]
    there = store.approvals.search(place[0], status=None, session_id=place[1])
    assert [approval.id for approval in there] == [old.id, answered.id]


def test_a_run_that_ends_leaves_nothing_open(store: Store) -> None:
    place = begin_run(store)
    first, second = ask(store, place), ask(store, place)
    store.approvals.withdraw(first.id, "decided otherwise")
    store.approvals.cancel(place[2], "superseded")
    assert [each.status for each in store.approvals.of_run(place[2])] == ["cancelled", "cancelled"]
    assert store.approvals.find(place[0], first.id).reason == "decided otherwise"
    with pytest.raises(Busy, match="not needed any more"):
        store.approvals.decide(second, "approved", WHO)


def test_stale_are_those_that_nobody_can_answer_any_more(store: Store) -> None:
    declare(store, "other")
    declare(store)
    place = begin_run(store)
    good = ask(store, place)
    late = ask(store, place, expires_at=clock_ms())
    toolless = ask(store, place, tool="gone")
    stale = store.approvals.stale(place[0], None)
    assert {each.id for each in stale} == {late.id, toolless.id}
    assert store.approvals.stale(place[0], "as_another") == []
    store.agents.delete("default")
    assert good.id in [each.id for each in store.approvals.stale(place[0], place[1])]


def test_a_question_is_announced_once(store: Store) -> None:
    place = begin_run(store)
    first = ask(store, place)
    late = ask(store, place, expires_at=clock_ms())
    assert [each.id for each in store.approvals.take_unannounced(place[2])] == [first.id]
    second = ask(store, place)
    assert [each.id for each in store.approvals.take_unannounced(place[2])] == [second.id]
    assert late.id not in [each.id for each in store.approvals.take_unannounced(place[2])]


@pytest.mark.parametrize("status", ["pending", "denied", None])
@pytest.mark.parametrize("session", [None, "as_x"])
def test_a_list_is_read_from_an_index(store: Store, status: str | None, session: str | None) -> None:
    plans: list[str] = []

    def remember(statement: str) -> None:
        if statement.startswith("SELECT"):
            plans.extend(row[3] for row in other.execute(f"EXPLAIN QUERY PLAN {statement}"))

    import sqlite3

    store.database.one("SELECT 1")
    other = sqlite3.connect(store.path)
    store.database.connection.set_trace_callback(remember)
    list(store.approvals.search(1, status=status, session_id=session, limit=10))
    store.database.connection.set_trace_callback(None)
    other.close()
    assert plans
    assert not [plan for plan in plans if plan.startswith("SCAN")]
    assert not [plan for plan in plans if "TEMP B-TREE FOR ORDER BY" in plan], plans
