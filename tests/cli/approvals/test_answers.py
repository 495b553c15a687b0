"""Answers from another process: one that counts, for the very call, and the run goes on."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

from agentctl.store import Store
from tests.conftest import Outcome
from tests.waiting import ask, begin_run

Run = Callable[..., Outcome]
Pause = Callable[..., list[str]]
Start = Callable[..., subprocess.Popen[bytes]]


def status_of(run: Run, approval: str) -> str:
    found: str = run(f"approvals show {approval} -o json").json()["status"]
    return found


def test_a_run_without_a_terminal_waits_and_goes_on_when_it_is_approved(pause: Pause, run: Run) -> None:
    (approval,) = pause("1+1", then={"match": "2", "text": "It is 2."})
    finished = run(f"approvals approve {approval} --resume")
    assert finished.stdout == "It is 2.\n"
    assert f"approved {approval}: calculator" in finished.stderr
    assert status_of(run, approval) == "consumed"


def test_a_person_who_denies_tells_the_model_why(pause: Pause, run: Run) -> None:
    (approval,) = pause("1+1", then={"match": "too dear", "text": "Understood."})
    finished = run(f"approvals deny {approval} --reason 'too dear' --resume -o json").json()
    assert (finished["outcome"], finished["result"]) == ("done", "Understood.")
    assert finished["tool_calls"][0]["error"] == "the user denied this call: too dear"
    shown = run(f"approvals show {approval} -o json").json()
    assert (shown["status"], shown["reason"]) == ("consumed", "too dear")
    assert shown["decided_by"]["user"] == "tester"


def test_an_answer_without_resume_says_how_to_go_on(pause: Pause, run: Run) -> None:
    (approval,) = pause("1+1")
    answered = run(f"approvals approve {approval}")
    assert answered.stdout == ""
    (line,) = [line for line in answered.stderr.splitlines() if line.startswith("go on with ")]
    assert run(line.removeprefix("go on with agentctl ")).stdout == "All done.\n"


def test_a_run_that_waits_for_more_is_not_gone_on_with(pause: Pause, run: Run) -> None:
    first, second = pause("1+1", "2+2")
    waits = run(f"approvals approve {first} --resume", code=4)
    assert second in waits.stderr
    assert first not in waits.stderr.replace(f"approved {first}", "")
    assert (status_of(run, first), status_of(run, second)) == ("approved", "pending")
    finished = run(f"approvals deny {second} --resume -o json").json()
    succeeded = {call["arguments"]["expression"]: call["success"] for call in finished["tool_calls"]}
    assert succeeded == {"1+1": True, "2+2": False}


def test_all_of_a_session_are_answered_at_once(pause: Pause, run: Run) -> None:
    first = pause("1+1", "2+2")[0]
    session = run(f"approvals show {first} -o json").json()["session_id"]
    finished = run(f"approvals approve --all --session {session} --resume -o json").json()
    assert [call["success"] for call in finished["tool_calls"]] == [True, True]
    assert "no call waits" in run(f"approvals approve --all --session {session}", code=6).stderr
    for short in ("@last", session[-7:]):
        assert "too little" in run(f"approvals deny --all --session {short}", code=2).stderr


def test_ids_come_from_stdin(pause: Pause, agentctl: Run) -> None:
    ids = pause("1+1", "2+2")
    listed = agentctl("approvals list --status pending -o ids").stdout
    assert sorted(listed.split()) == sorted(ids)
    agentctl("approvals approve -", stdin=listed.encode())
    assert agentctl("approvals list --status pending -o ids").stdout == ""
    assert "none came on stdin" in agentctl("approvals approve -", stdin=b"\n", code=2).stderr


@pytest.mark.parametrize("again", ["approve", "deny"])
def test_what_was_answered_is_not_answered_again(pause: Pause, run: Run, again: str) -> None:
    (approval,) = pause("1+1")
    run(f"approvals approve {approval}")
    assert "answered already: approved" in run(f"approvals {again} {approval}", code=10).stderr
    run(f"resume {run(f'approvals show {approval} -o json').json()['run_id']}")
    assert "answered and used already" in run(f"approvals {again} {approval}", code=10).stderr


def test_an_expired_question_is_not_answered(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    store.database.execute("UPDATE agent_approvals SET expires_at = created_at + 1")
    assert "has expired" in run(f"approvals approve {approval}", code=10).stderr
    assert run("approvals list -o json").json()[0]["status"] == "expired"
    run_id = run(f"approvals show {approval} -o json").json()["run_id"]
    asked_again = run(f"resume {run_id} -o json", code=4).json()["pending_approvals"][0]["approval_id"]
    assert asked_again != approval


def test_of_several_all_are_answered_or_none(pause: Pause, run: Run) -> None:
    first, second = pause("1+1", "2+2")
    run(f"approvals deny {second}")
    run(f"approvals approve {first} {second}", code=10)
    assert status_of(run, first) == "pending"
    assert len(run("approvals audit -o json").json()) == 1


def test_the_same_id_twice_is_one_answer(pause: Pause, run: Run) -> None:
    (approval,) = pause("1+1")
    run(f"approvals approve {approval} {approval[-8:]}")
    assert status_of(run, approval) == "approved"


def test_of_many_processes_that_answer_at_once_one_does(pause: Pause, start: Start, run: Run) -> None:
    (approval,) = pause("1+1")
    words = [f"approvals {verb} {approval}" for verb in ("approve", "deny") * 3]
    processes = [start(line) for line in words]
    ends = [(process.communicate(timeout=60), process.returncode) for process in processes]
    assert sorted(code for _, code in ends) == [0, 10, 10, 10, 10, 10]
    assert all(b"answered already" in err for (_, err), code in ends if code == 10)
    (winner,) = [line.split()[1] for line, (_, code) in zip(words, ends, strict=True) if code == 0]
    (entry,) = run("approvals audit -o json").json()
    assert entry["decision"] == {"approve": "allow", "deny": "deny"}[winner]


def test_another_user_neither_sees_nor_answers_it(pause: Pause, run: Run) -> None:
    (approval,) = pause("1+1")
    assert run("approvals list --user other -o json").json() == []
    for line in (f"show {approval}", f"approve {approval}", f"deny {approval}", f"resolve {approval} --ran"):
        assert "no approval" in run(f"approvals {line} --user other", code=6).stderr
    assert run("approvals cleanup --user other -o json").json() == []
    assert status_of(run, approval) == "pending"
    run(f"approvals approve {approval}")
    assert run("approvals audit --user other -o json").json() == []


@pytest.mark.parametrize(
    "line",
    [
        "approve",
        "approve ap_1 --all --session as_1",
        "approve ap_1 --session as_1",
        "approve --all",
        "approve ap_1 -o json",
        "deny ap_1 --final",
        "resolve ap_1",
        "resolve ap_1 --did-not-run --result x",
        "revoke",
    ],
)
def test_words_that_cannot_stand_together_change_nothing(asking: Store, run: Run, line: str) -> None:
    run(f"approvals {line}", code=2)


@pytest.mark.parametrize("given", ["@last", "ap_", "1234567"])
def test_too_little_is_said_to_decide_by(pause: Pause, run: Run, given: str) -> None:
    (approval,) = pause("1+1")
    assert "at least 8 characters" in run(f"approvals approve {given}", code=6).stderr
    assert status_of(run, approval) == "pending"


@pytest.mark.parametrize("how", ["answered", "expired"])
def test_a_session_where_nothing_is_open_any_more_says_how_the_run_goes_on(
    pause: Pause, run: Run, store: Store, how: str
) -> None:
    (approval,) = pause("1+1")
    run_id = run(f"approvals show {approval} -o json").json()["run_id"]
    if how == "answered":
        run(f"approvals approve {approval}")
    else:
        store.database.execute("UPDATE agent_approvals SET expires_at = 1")
    refused = run("chat -c 'and now?'", code=10)
    assert f"agentctl resume {run_id}" in refused.stderr
    assert "approvals approve" not in refused.stderr


def test_what_is_said_of_a_lost_call_is_no_answer_to_one_that_has_not_been_started(
    asking: Store, run: Run, script: Callable[..., str]
) -> None:
    place = begin_run(asking)
    asked, lost = ask(asking, place), ask(asking, place, kind="unknown")
    chat = f"chat -c 'and now?' -m {script({'text': 'Yes.'})}"
    for line, code in ((chat, 10), (f"approvals deny {ask(asking, place).id} --resume", 4)):
        refused = run(line, code=code)
        assert f"approvals resolve {lost.id} --ran or --did-not-run" in refused.stderr
        assert f"approvals approve {asked.id}" in refused.stderr


def test_resume_goes_on_with_one_run(asking: Store, run: Run) -> None:
    first, second = ask(asking, begin_run(asking)), ask(asking, begin_run(asking))
    refused = run(f"approvals approve {first.id} {second.id} --resume", code=2)
    assert first.run_id in refused.stderr
    assert status_of(run, first.id) == "pending"


def test_a_failure_with_resume_is_a_result_object_too(pause: Pause, run: Run) -> None:
    (approval,) = pause("1+1")
    run(f"approvals approve {approval}")
    failed = run(f"approvals approve {approval} --resume -o json", code=10).json()
    assert failed["error"]["kind"] == "decided"


@pytest.mark.parametrize(
    ("flag", "status"), [("--ran --result 'it is 2'", "ran"), ("--did-not-run", "not_run")]
)
def test_a_person_says_what_became_of_a_lost_call(asking: Store, run: Run, flag: str, status: str) -> None:
    approval = ask(asking, begin_run(asking), kind="unknown")
    for verb in ("approve", "deny"):
        assert "approvals resolve" in run(f"approvals {verb} {approval.id}", code=2).stderr
    run(f"approvals resolve {approval.id} {flag}")
    shown = run(f"approvals show {approval.id} -o json").json()
    assert (shown["kind"], shown["status"]) == ("unknown", status)
    assert shown["reason"] == ("it is 2" if status == "ran" else None)
    run(f"approvals resolve {approval.id} {flag}", code=10)


def test_only_a_lost_call_is_resolved(asking: Store, run: Run) -> None:
    approval = ask(asking, begin_run(asking))
    assert "approvals approve" in run(f"approvals resolve {approval.id} --ran", code=2).stderr
    assert status_of(run, approval.id) == "pending"


def test_all_leaves_lost_calls_to_a_person_who_looks(asking: Store, run: Run) -> None:
    place = begin_run(asking)
    call, lost = ask(asking, place), ask(asking, place, kind="unknown")
    run(f"approvals approve --all --session {place[1]}")
    assert (status_of(run, call.id), status_of(run, lost.id)) == ("approved", "pending")


def test_a_key_in_a_reason_is_blanked(pause: Pause, agentctl: Run, run: Run, environ: dict[str, str]) -> None:
    (approval,) = pause("1+1")
    key = "sk-a-key-that-is-long-enough-1234"
    run("providers create mine --kind openai --api-key-env MINE_KEY")
    agentctl(f"approvals deny {approval} --reason 'do not use {key}'", env={"MINE_KEY": key})
    for line in (f"approvals show {approval} -o json", "approvals audit -o json"):
        shown = run(line).stdout
        assert "do not use ***" in shown
        assert key not in shown


@pytest.mark.parametrize(
    "line", ["approve ap_1", "deny ap_1", "list", "audit", "cleanup", "grant --agent a --tool b", "revoke x"]
)
def test_nothing_of_it_is_there_for_a_program_that_a_tool_started(asking: Store, run: Run, line: str) -> None:
    refused = run(f"approvals {line}", code=3, env={"AGENTCTL_INSIDE_TOOL": "x"})
    assert "approvals is refused to programs that a tool has started" in refused.stderr


def test_a_list_shows_what_waits_first(pause: Pause, run: Run) -> None:
    first, second = pause("1+1", "2+2")
    run(f"approvals deny {second}")
    rows = run("approvals list -o json").json()
    assert [row["id"] for row in rows] == [first, second]
    assert rows[0]["arguments"] == {"expression": "1+1"}
    assert list(rows[0])[:4] == ["id", "kind", "agent", "tool"]
    assert run("approvals list --status denied -o ids").stdout == f"{second}\n"
    assert run("approvals list --session @last -o ids").stdout.split() == [first, second]
    assert run("approvals list --limit 1 --page 2 -o ids").stdout == f"{second}\n"
    run("approvals list --session as_nowhere", code=6)


def test_what_is_stored_is_the_call_as_it_was_made(pause: Pause, run: Run) -> None:
    (approval,) = pause("1+1 # 日本語")
    shown = run(f"approvals show {approval} -o json").stdout
    assert json.loads(shown)["arguments"] == {"expression": "1+1 # 日本語"}
    assert "日本語" in shown
