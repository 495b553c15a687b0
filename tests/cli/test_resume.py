"""Runs that pause, are killed or stopped, and go on: nothing is asked twice, nothing runs twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.approval import Approval, bind
from agentctl.domain.ids import clock_ms
from agentctl.domain.run import Run
from agentctl.store import Store
from tests.conftest import Outcome

Call = Callable[..., Outcome]
Script = Callable[..., str]
Start = Callable[..., subprocess.Popen[bytes]]
HANG_GUARD = 20.0
FILES = """
tools:
  - slug: note
    type: command
    config:
      argv: [sh, -c, 'echo "$0" >> notes.txt; echo noted', '{text}']
      arguments: {text: {type: string, description: A line.}}
  - {slug: sums, type: calculator}
agents:
  - {slug: writer, tools: [note, sums], title_strategy: none}
"""
NOTE = {
    "text": "I note it.",
    "tool_calls": [
        {"name": "note", "arguments": {"text": "hello"}},
        {"name": "sums", "arguments": {"expression": "1+1"}},
    ],
}
DONE = {"text": "Done."}


@pytest.fixture
def writer(run: Call, tmp_path: Path) -> None:
    """An agent that may note lines once a person says so."""
    (tmp_path / "agents.yaml").write_text(FILES)
    run("apply --yes")


def last(store: Store) -> Run:
    return store.runs.find(store.users.ensure("tester").id, "@last")


def pending(store: Store) -> Approval:
    (approval,) = [each for each in store.approvals.of_run(last(store).id) if each.status == "pending"]
    return approval


def answer(store: Store, status: Any, **changes: Any) -> None:
    approval = pending(store)
    with store.transaction():
        store.approvals.decide(replace(approval, **changes), status, {"user": "tester"}, reason="because")


def noted(folder: Path) -> list[str]:
    path = folder / "notes.txt"
    return path.read_text().split() if path.exists() else []


def test_a_call_that_nobody_can_be_asked_about_pauses_the_run_and_the_others_run(
    run: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    outcome = run(f"chat writer 'note it' -o json -m {script(NOTE, DONE)}", code=4)
    result = outcome.json()
    assert (result["outcome"], result["result"]) == ("paused", "I note it.")
    (waiting,) = result["pending_approvals"]
    assert (waiting["tool"], waiting["arguments"]) == ("note", {"text": "hello"})
    assert f"agentctl approvals approve {waiting['approval_id']} --resume" in outcome.stderr
    assert [call["tool"] for call in result["tool_calls"]] == ["sums"]
    assert noted(tmp_path) == []
    assert last(store).status == "awaiting_approval"


def test_a_yes_lets_the_run_go_on_and_the_model_is_not_asked_again_for_what_it_said(
    run: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    run(f"chat writer 'note it' -m {script(NOTE, DONE)}", code=4)
    answer(store, "approved")
    outcome = run("resume @last -o json")
    result = outcome.json()
    assert (result["outcome"], result["result"], result["num_turns"]) == ("done", "Done.", 2)
    assert [call["tool"] for call in result["tool_calls"]] == ["sums", "note"]
    assert noted(tmp_path) == ["hello"]
    assert [approval.status for approval in store.approvals.of_run(last(store).id)] == ["consumed"]
    run("resume @last", code=2)


def test_a_run_that_still_waits_pauses_again_with_the_same_question(
    run: Call, store: Store, script: Script, writer: None
) -> None:
    run(f"chat writer 'note it' -m {script(NOTE, DONE)}", code=4)
    asked = pending(store).id
    assert run("resume @last -o json", code=4).json()["pending_approvals"][0]["approval_id"] == asked
    assert pending(store).id == asked


def test_a_no_gives_the_model_the_reason_and_the_run_is_done(
    run: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    model = script(NOTE, {"match": "denied this call: because", "text": "Then not."})
    run(f"chat writer 'note it' -m {model}", code=4)
    answer(store, "denied")
    assert run("resume @last").stdout == "Then not.\n"
    assert noted(tmp_path) == []


def test_arguments_that_a_person_edited_are_those_that_run(
    run: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    run(f"chat writer 'note it' -m {script(NOTE, DONE)}", code=4)
    asked = pending(store)
    arguments = {"text": "edited"}
    changed = bind("note", asked.tool_revision, None, arguments)
    answer(store, "approved", arguments=arguments, hash=changed)
    run("resume @last")
    assert noted(tmp_path) == ["edited"]


@pytest.mark.parametrize("change", ["timeout: 5", "arguments"])
def test_a_yes_to_something_else_is_asked_again(
    run: Call, store: Store, script: Script, writer: None, tmp_path: Path, change: str
) -> None:
    run(f"chat writer 'note it' -m {script(NOTE, DONE)}", code=4)
    before = pending(store).id
    if change == "arguments":
        answer(store, "approved", arguments={"text": "another"})
    else:
        answer(store, "approved")
        text = FILES.replace("    config:\n", f"    config:\n      {change}\n")
        (tmp_path / "agents.yaml").write_text(text)
        run("apply --yes")
    run("resume @last", code=4)
    assert pending(store).id != before
    assert noted(tmp_path) == []


def test_a_deny_rule_is_stronger_than_a_yes_that_was_given_before(
    run: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    run(f"chat writer 'note it' -m {script(NOTE, {'match': 'forbidden', 'text': 'Then not.'})}", code=4)
    answer(store, "approved")
    run("resume @last --deny 'note text=h*'", code=3)
    assert noted(tmp_path) == []


def test_a_yes_whose_time_is_over_is_asked_again(
    run: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    run(f"chat writer 'note it' -m {script(NOTE, DONE)}", code=4)
    answer(store, "approved")
    store.database.execute("UPDATE agent_approvals SET expires_at = ?", (clock_ms() - 1,))
    run("resume @last", code=4)
    statuses = [approval.status for approval in store.approvals.of_run(last(store).id)]
    assert statuses == ["expired", "pending"]
    assert noted(tmp_path) == []


def test_a_new_message_is_refused_while_a_call_waits_and_may_supersede_it(
    run: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    model = script(NOTE, {"match": "never mind", "text": "All right."})
    run(f"chat writer 'note it' -m {model}", code=4)
    waiting = pending(store).id
    refused = run(f"chat -c 'never mind' -m {model}", code=10)
    assert waiting in refused.stderr
    assert "--supersede" in refused.stderr
    assert run(f"chat -c 'never mind' --supersede -m {model}").stdout == "All right.\n"
    first, second = store.runs.list(last(store).session_id)
    assert (first.status, second.status) == ("aborted", "done")
    assert [approval.status for approval in store.approvals.of_run(first.id)] == ["cancelled"]
    run(f"resume {first.id}", code=2)
    assert noted(tmp_path) == []


def test_limits_count_over_the_whole_run(
    run: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    run(f"chat writer 'note it' --max-steps 1 -m {script(NOTE, DONE)}", code=4)
    answer(store, "approved")
    run("resume @last --max-steps 9", code=8)
    assert noted(tmp_path) == ["hello"]


def test_resume_works_in_the_folder_of_the_run(
    agentctl: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    agentctl(f"chat writer 'note it' -m {script(NOTE, DONE)}", code=4)
    answer(store, "approved")
    other = tmp_path / "other"
    other.mkdir()
    agentctl("resume @last", cwd=other)
    assert (noted(tmp_path), noted(other)) == (["hello"], [])


def test_a_database_with_a_relative_path_is_the_same_in_the_folder_of_the_run(
    agentctl: Call, script: Script, tmp_path: Path
) -> None:
    (tmp_path / "agents.yaml").write_text(FILES)
    folder = tmp_path / "work"
    folder.mkdir()
    agentctl("apply --yes --db here.db")
    agentctl(f"chat writer 'note it' --db ../here.db -m {script(NOTE, DONE)}", code=4, cwd=folder)
    store = Store(tmp_path / "here.db")
    answer(store, "approved")
    agentctl("resume @last --db here.db")
    assert (noted(tmp_path), noted(folder)) == ([], ["hello"])


def test_a_folder_that_is_gone_is_named(
    agentctl: Call, store: Store, script: Script, writer: None, tmp_path: Path
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    agentctl(f"chat writer 'note it' -m {script(NOTE, DONE)}", code=4, cwd=folder)
    answer(store, "approved")
    shutil.rmtree(folder)
    assert str(folder) in agentctl("resume @last", code=2).stderr
    assert last(store).status == "awaiting_approval"


def test_an_answer_that_was_cut_by_a_signal_is_asked_for_again_and_the_model_reads_no_half_of_it(
    start: Start, agentctl: Call, script: Script, store: Store
) -> None:
    process = start(f"chat 'a b' -m {script({'text': ['half ', *['x '] * 200], 'chunk_delay': 0.05})}")
    assert process.stdout is not None
    assert b"half" in os.read(process.stdout.fileno(), 100)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=HANG_GUARD)
    script({"text": "whole"})
    assert agentctl("resume @last").stdout == "whole\n"
    texts = [message.text for message in store.messages.history(last(store).session_id)]
    assert texts[0].startswith("a b")
    assert texts[1].startswith("half")
    assert texts[2:] == ["whole"]


def test_a_request_id_asks_once_however_often_it_comes(
    start: Start, agentctl: Call, script: Script, store: Store
) -> None:
    line = f"chat 'a b' --request-id nightly -m {script({'text': 'once', 'delay': 0.5})}"
    processes = [start(line) for _ in range(4)]
    outputs = [process.communicate(timeout=60)[0] for process in processes]
    assert {process.returncode for process in processes} == {0}
    assert outputs == [b"once\n"] * 4
    assert len(store.runs.list(last(store).session_id)) == 1
    assert agentctl("chat 'something else' --request-id nightly", code=2).stdout == ""


def test_whoever_waits_for_a_busy_session_answers_after_it(
    start: Start, agentctl: Call, script: Script, store: Store
) -> None:
    model = script({"text": "first", "delay": 1.5}, {"text": "second"})
    first = start(f"chat 'a b' -m {model}")
    wait_for(lambda: store.database.one("SELECT 1 FROM agent_runs") is not None)
    agentctl("chat -c 'c d'", code=10)
    assert agentctl("chat -c 'c d' --wait").stdout == "second\n"
    assert first.communicate(timeout=HANG_GUARD)[0] == b"first\n"


@pytest.mark.slow
def test_several_who_wait_for_a_session_all_get_their_turn_and_say_once_that_they_wait(
    start: Start, script: Script, store: Store
) -> None:
    first_reply = {"match": "a b", "text": "said", "delay": 3}
    model = script(first_reply, {"text": "said", "delay": 0.7, "repeat": True})
    first = start(f"chat 'a b' -m {model}")
    wait_for(lambda: store.database.one("SELECT 1 FROM agent_runs") is not None)
    session = last(store).session_id
    waiting = [start(f"chat -s {session} 'c d' --wait -m {model}") for _ in range(2)]
    for process in (first, *waiting):
        output, errors = process.communicate(timeout=HANG_GUARD)
        assert (process.returncode, output) == (0, b"said\n")
        assert errors.count(b"waiting:") <= 1
    assert len(store.runs.list(session)) == 3


def test_nobody_waits_for_a_session_in_which_a_person_has_to_answer_first(
    run: Call, store: Store, script: Script, writer: None
) -> None:
    run(f"chat writer 'note it' -m {script(NOTE, DONE)}", code=4)
    refused = run("chat -c 'c d' --wait", code=10)
    assert pending(store).id in refused.stderr
    assert "waiting:" not in refused.stderr


def test_a_run_that_goes_on_already_is_not_gone_on_with_and_only_flags_that_there_are_are_named(
    start: Start, run: Call, script: Script, store: Store
) -> None:
    process = start(f"chat 'a b' -m {script({'text': 'late', 'delay': 30})}")
    wait_for(lambda: store.database.one("SELECT 1 FROM agent_runs") is not None)
    refused = run(f"resume {last(store).id}", code=10)
    assert f"agentctl stop {last(store).id}" in refused.stderr
    assert "--" not in refused.stderr
    run("stop @last")
    process.communicate(timeout=HANG_GUARD)


@pytest.mark.parametrize("empty", ["''", "' '"])
def test_a_request_id_that_is_empty_is_refused(run: Call, script: Script, empty: str) -> None:
    refused = run(f"chat 'a b' --request-id {empty} -m {script({'text': 'once'})} -o json", code=2)
    assert "--request-id is empty" in refused.json()["error"]["message"]


def test_a_holder_that_slept_through_a_take_over_stops_before_any_tool(
    start: Start, agentctl: Call, script: Script, store: Store, writer: None, tmp_path: Path
) -> None:
    process = start(f"chat writer 'note it' --yes -m {script({**NOTE, 'delay': 1.0}, DONE)}")
    wait_for(lambda: store.database.one("SELECT 1 FROM agent_runs") is not None)
    process.send_signal(signal.SIGSTOP)
    store.database.execute("UPDATE agent_runs SET heartbeat_at = 1")
    agentctl("resume @last", code=4)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=HANG_GUARD)
    assert process.returncode == 10, errors
    assert noted(tmp_path) == []
    assert last(store).status == "awaiting_approval"


def test_a_detached_run_is_stored_before_its_id_is_printed_and_outlives_the_command(
    agentctl: Call, script: Script, store: Store
) -> None:
    begun = time.monotonic()
    printed = agentctl(f"chat 'a b' --detach -m {script({'text': 'later', 'delay': 2})}").stdout.strip()
    assert store.runs.get(printed).status == "running"
    wait_for(lambda: store.runs.get(printed).status == "done")
    assert time.monotonic() - begun > 1.5
    assert store.messages.history(store.runs.get(printed).session_id)[-1].text == "later"


def test_a_detached_run_that_cannot_begin_says_why(agentctl: Call) -> None:
    outcome = agentctl("chat nobody hello --detach", code=6)
    assert (outcome.stdout, "nobody" in outcome.stderr) == ("", True)


def test_a_database_that_is_lost_under_a_run_ends_it_with_what_is_known(
    start: Start, script: Script, environ: dict[str, str]
) -> None:
    process = start(f"chat 'a b' -o json -m {script({'text': ['x '] * 100, 'chunk_delay': 0.05})}")
    home = Path(environ["AGENTCTL_HOME"])
    wait_for(lambda: (home / "agentctl.db-wal").exists())
    time.sleep(0.5)
    shutil.rmtree(home)
    out, errors = process.communicate(timeout=60)
    assert b"Traceback" not in errors
    assert process.returncode == 5, errors
    assert b"was moved or removed" in errors
    (result,) = map(json.loads, out.splitlines())
    assert (result["outcome"], result["exit_code"]) == ("failed", 5)


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + HANG_GUARD
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
def test_many_processes_on_one_file_lose_no_message_and_no_event(
    start: Start, agentctl: Call, store: Store, script: Script
) -> None:
    model = script({"text": ["one ", "two ", "three"], "chunk_delay": 0.01, "repeat": True})
    agentctl(f"chat 'a b' -m {model}")
    for _ in range(3):
        processes = [start(f"chat 'question {number}' -m {model}") for number in range(8)]
        for process in processes:
            out, errors = process.communicate(timeout=120)
            assert (process.returncode, out) == (0, b"one two three\n"), errors
    rows = store.database.execute(
        "SELECT run_id, group_concat(role) AS roles FROM agent_messages GROUP BY run_id"
    )
    assert [row["roles"] for row in rows] == ["user,assistant"] * 25
    for row in store.database.execute("SELECT DISTINCT run_id FROM agent_run_events").fetchall():
        events = list(store.events.list(row["run_id"]))
        assert [event.type for event in events] == ["init", "message.delta", "message", "result"]
        assert [event.seq for event in events] == sorted(event.seq for event in events)
