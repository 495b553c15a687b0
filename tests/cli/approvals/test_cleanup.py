"""What nobody can answer any more is closed: the history pairs, the session is free."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agentctl.chat.holder import current_holder
from agentctl.domain.ids import clock_ms
from agentctl.store import Store
from tests.conftest import Outcome
from tests.waiting import ask, begin_run

Run = Callable[..., Outcome]
Pause = Callable[..., list[str]]


def expire(store: Store, *approvals: str) -> None:
    for approval in approvals:
        store.database.execute(
            "UPDATE agent_approvals SET expires_at = ? WHERE id = ?", (clock_ms() - 1, approval)
        )


def closed_by(run: Run, line: str = "") -> dict[str, str]:
    return {row["id"]: row["status"] for row in run(f"approvals cleanup {line} -o json").json()}


def test_an_expired_question_is_closed_and_its_session_is_free(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    run("chat -c 'and now?'", code=10)
    expire(store, approval)
    assert closed_by(run) == {approval: "expired"}
    assert closed_by(run) == {}
    shown = run(f"approvals show {approval} -o json").json()
    stored = store.runs.get(shown["run_id"])
    assert (stored.status, stored.outcome) == ("aborted", "stopped")
    (call,) = store.calls.of_run(stored.id)
    assert call.status == "denied"
    assert "not answered in time" in (call.output or "")
    (entry,) = run("approvals audit -o json").json()
    assert (entry["event"], entry["decision"], entry["by"]) == ("cleanup", "deny", "nobody")
    assert run("chat -c 'and now?'").stdout == "All done.\n"


def test_a_question_whose_agent_or_tool_is_gone_is_closed(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    assert closed_by(run) == {}
    store.agents.delete("default")
    store.tools.delete("calculator")
    assert closed_by(run) == {approval: "cancelled"}


def test_what_can_still_be_answered_keeps_its_run_waiting(pause: Pause, run: Run, store: Store) -> None:
    late, good = pause("1+1", "2+2")
    expire(store, late)
    assert closed_by(run) == {late: "expired"}
    run_id = run(f"approvals show {good} -o json").json()["run_id"]
    assert store.runs.get(run_id).status == "awaiting_approval"
    finished = run(f"approvals approve {good} --resume -o json", code=None).json()
    succeeded = {call["arguments"]["expression"]: call["success"] for call in finished["tool_calls"]}
    assert succeeded == {"1+1": False, "2+2": True}
    # Nobody answered the first one, which is a denial that nobody was asked about.
    assert finished["exit_code"] == 3


def test_only_the_session_that_is_named_is_cleaned_up(asking: Store, run: Run) -> None:
    here, there = ask(asking, begin_run(asking)), ask(asking, begin_run(asking))
    expire(asking, here.id, there.id)
    for short in ("@last", here.session_id[-7:]):
        run(f"approvals cleanup --session {short}", code=2)
    assert closed_by(run, f"--session {here.session_id}") == {here.id: "expired"}
    assert closed_by(run) == {there.id: "expired"}


def test_a_run_that_a_process_works_on_is_left_to_it(asking: Store, run: Run) -> None:
    place = begin_run(asking)
    approval = ask(asking, place, expires_at=clock_ms())
    asking.runs.take(place[2], current_holder())
    assert closed_by(run) == {}
    # Its process was one of an earlier start of this machine.
    asking.database.execute("UPDATE agent_runs SET boot_id = 'another' WHERE id = ?", (place[2],))
    assert closed_by(run) == {approval.id: "expired"}
    assert asking.runs.get(place[2]).status == "aborted"


def test_a_lost_call_stays_unknown(asking: Store, run: Run) -> None:
    place = begin_run(asking)
    approval = ask(asking, place, kind="unknown", expires_at=clock_ms())
    asking.database.execute("UPDATE agent_tool_calls SET status = 'unknown'")
    assert closed_by(run) == {approval.id: "expired"}
    (call,) = asking.calls.of_run(place[2])
    assert (call.status, call.output) == ("unknown", None)
    assert asking.runs.get(place[2]).status == "aborted"


@pytest.mark.parametrize("status", ["failed", "aborted"])
def test_a_run_that_has_ended_stays_as_it_ended(asking: Store, run: Run, status: str) -> None:
    place = begin_run(asking)
    approval = ask(asking, place, expires_at=clock_ms())
    asking.database.execute("UPDATE agent_runs SET status = ?", (status,))
    assert closed_by(run) == {approval.id: "expired"}
    assert asking.runs.get(place[2]).status == status
    assert [call.status for call in asking.calls.of_run(place[2])] == ["denied"]


def test_a_call_that_has_its_result_keeps_it(asking: Store, run: Run) -> None:
    place = begin_run(asking)
    approval = ask(asking, place, expires_at=clock_ms())
    asking.database.execute("UPDATE agent_tool_calls SET status = 'failed', output = 'no such tool'")
    assert closed_by(run) == {approval.id: "expired"}
    assert [call.output for call in asking.calls.of_run(place[2])] == ["no such tool"]
