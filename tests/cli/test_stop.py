"""Runs ended from other processes: what was said is kept, and nothing waits for ever."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.store import Store
from agentctl.store.runs import NewRun
from tests.cli.test_attach import ASKS, HANGS, SILENT, SLOW, live_run
from tests.cli.test_endings import read_until
from tests.conftest import Outcome

Line = Callable[..., Outcome]
Script = Callable[..., str]
Start = Callable[..., subprocess.Popen[bytes]]


def user_of(store: Store) -> int:
    return store.users.ensure("tester").id


def test_a_stop_keeps_what_was_said_and_says_who_did_it(
    start: Start, agentctl: Line, script: Script, store: Store
) -> None:
    chat = start(f"chat 'a b' -m {script({**SLOW, 'text': ['one ', 'two ', *['more '] * 400]})}")
    read_until(chat, b"two")
    run = live_run(store)
    assert agentctl(f"stop {run.id}").stdout == f"{run.id}\taborted\n"
    _, errors = chat.communicate(timeout=HANGS)
    assert chat.returncode == 130
    assert "stopped by tester (process " in errors.decode()
    messages = agentctl("sessions messages @last -o json").json()
    assert messages[1]["status"] == "aborted"
    assert messages[1]["text"].startswith("one two")
    assert agentctl("attach @last", code=130).stdout.startswith("one two")


def test_a_run_stops_while_its_model_has_said_nothing(
    start: Start, agentctl: Line, script: Script, store: Store
) -> None:
    chat = start(f"chat 'a b' -o json -m {script(SILENT)}")
    run = live_run(store)
    assert agentctl(f"stop {run.session_id} -o json").json() == [{"id": run.id, "status": "aborted"}]
    out, _ = chat.communicate(timeout=HANGS)
    assert chat.returncode == 130
    assert json.loads(out)["error"]["kind"] == "stopped"


def test_a_run_stops_while_a_tool_runs(
    start: Start, agentctl: Line, script: Script, store: Store, tmp_path: Path
) -> None:
    slow = ASKS.replace("needs_approval: true", "needs_approval: false")
    (tmp_path / "agents.yaml").write_text(slow.replace("[echo,", "[sh, -c, 'sleep $0',"))
    agentctl("apply --yes")
    call = {"text": "Waiting.", "tool_calls": [{"name": "note", "arguments": {"text": "600"}}]}
    chat = start(f"chat writer 'a b' -m {script(call, {'text': 'late'})}")
    read_until(chat, b"Waiting.")
    run = live_run(store)
    deadline = time.monotonic() + HANGS
    while [each.status for each in store.calls.of_run(run.id)] != ["executing"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert agentctl("stop @last").stdout.endswith("\taborted\n")
    chat.communicate(timeout=HANGS)
    assert chat.returncode == 130


def test_all_of_ones_runs_are_stopped_and_nobody_elses(
    start: Start, agentctl: Line, script: Script, store: Store
) -> None:
    model = script(SILENT)
    other = start(f"chat 'a b' -m {model} --user other")
    mine = [start(f"chat 'a b' -m {model}") for _ in range(2)]
    deadline = time.monotonic() + HANGS
    while len(store.run_lists.live(user_of(store))) < 2 or not store.run_lists.live(
        store.users.ensure("other").id
    ):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert agentctl("stop --all").stdout.count("\taborted\n") == 2
    assert [process.wait(HANGS) for process in mine] == [130, 130]
    assert other.poll() is None
    other.kill()
    for process in (other, *mine):
        process.communicate(timeout=HANGS)


def test_there_may_be_nothing_to_stop(run: Line, script: Script) -> None:
    assert run("stop --all").stdout == ""
    run("stop @last", code=6)
    run("stop", code=2)
    run("stop @last --all", code=2)
    run(f"chat 'a b' -m {script({'text': 'one'})}")
    outcome = run("stop @last")
    assert outcome.stdout.endswith("\tdone\n")
    assert "had ended before" in outcome.stderr


def test_a_run_that_waits_for_approval_waits_no_more(
    run: Line, script: Script, store: Store, tmp_path: Path
) -> None:
    (tmp_path / "agents.yaml").write_text(ASKS)
    run("apply --yes")
    call = {"text": "I note it.", "tool_calls": [{"name": "note", "arguments": {"text": "x"}}]}
    run(f"chat writer 'a b' -m {script(call, {'text': 'Never mind.'})}", code=4)
    (waits,) = store.run_lists.live(user_of(store))
    assert run("stop @last").stdout == f"{waits.id}\taborted\n"
    assert [approval.status for approval in store.approvals.of_run(waits.id)] == ["cancelled"]
    result = run("attach @last -o json", code=130).json()
    assert (result["outcome"], result["result"], result["pending_approvals"]) == ("stopped", "I note it.", [])
    # The session is free, and its history pairs the call with a result.
    assert run("chat -c 'and now?'").stdout == "Never mind.\n"


def test_a_stopped_run_that_is_gone_on_with_asks_again(
    run: Line, script: Script, store: Store, tmp_path: Path
) -> None:
    (tmp_path / "agents.yaml").write_text(ASKS)
    run("apply --yes")
    call = {"text": "I note it.", "tool_calls": [{"name": "note", "arguments": {"text": "x"}}]}
    run(f"chat writer 'a b' -m {script(call, {'text': 'Noted.'})}", code=4)
    (waits,) = store.run_lists.live(user_of(store))
    run("stop @last")
    run("resume @last", code=4)
    cancelled, asked = store.approvals.of_run(waits.id)
    assert (cancelled.status, asked.status) == ("cancelled", "pending")
    run(f"approvals approve {asked.id}")
    assert run("resume @last").stdout == "Noted.\n"


def test_a_run_whose_process_was_killed_is_ended_and_keeps_its_words(
    start: Start, agentctl: Line, script: Script, store: Store
) -> None:
    chat = start(f"chat 'a b' -m {script({**SLOW, 'text': ['one ', 'two ', *['more '] * 400]})}")
    read_until(chat, b"more more more more more")
    run = live_run(store)
    chat.kill()
    chat.communicate(timeout=HANGS)
    assert agentctl("stop @last").stdout == f"{run.id}\taborted\n"
    messages = agentctl("sessions messages @last -o json").json()
    assert messages[1]["status"] == "interrupted"
    assert messages[1]["text"].startswith("one two")
    assert agentctl("attach @last -o json", code=130).json()["result"].startswith("one two")


def test_a_queued_run_is_ended_before_it_began(run: Line, store: Store) -> None:
    run("agents list")
    user, agent = user_of(store), store.agents.require("default")
    session = store.sessions.create(user, agent.id, "default", None, 0)
    queued = store.runs.start(NewRun(session, user, "default", "p/m", "/", 0, {}))
    assert run("stop @last").stdout == f"{queued}\taborted\n"
    run("attach @last", code=130)


@pytest.mark.slow
def test_a_process_that_does_not_answer_is_named(
    start: Start, agentctl: Line, script: Script, store: Store
) -> None:
    chat = start(f"chat 'a b' -m {script(SILENT)}")
    run = live_run(store)
    os.kill(chat.pid, signal.SIGSTOP)
    try:
        outcome = agentctl(f"stop {run.id}", code=10)
        assert f"process {chat.pid} on " in outcome.stderr
    finally:
        os.kill(chat.pid, signal.SIGCONT)
    # It has not forgotten.
    chat.communicate(timeout=HANGS)
    assert chat.returncode == 130
