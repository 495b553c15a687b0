"""`runs list` and `runs show`: what happened, for people and for scripts."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.store import Store
from tests.cli.test_attach import ASKS, HANGS, SLOW, live_run
from tests.cli.test_endings import read_until
from tests.conftest import Outcome
from tests.terminal import Terminal

Line = Callable[..., Outcome]
Script = Callable[..., str]
Start = Callable[..., subprocess.Popen[bytes]]

CALL = {"text": "I note it.", "tool_calls": [{"name": "note", "arguments": {"text": "a\u202eb"}}]}


@pytest.fixture
def waiting(run: Line, script: Script, tmp_path: Path) -> str:
    """The id of a run that waits for approval."""
    (tmp_path / "agents.yaml").write_text(ASKS)
    run("apply --yes")
    model = script(CALL, {"text": "Noted.", "usage": {"input": 7, "output": 2}})
    run(f"chat writer 'Note 東京\nand more' -m {model}", code=4)
    found: str = run("runs list --status awaiting_approval -o ids").stdout.strip()
    return found


def test_runs_are_listed_newest_first_and_can_be_narrowed(run: Line, script: Script) -> None:
    run(f"chat 'a b' -m {script({'text': 'one'}, {'error': {'status': 400, 'message': 'no'}})}")
    run("chat -c 'c d'", code=13)
    failed, done = run("runs list -o json").json()
    assert [failed["prompt"], failed["status"], failed["exit_code"]] == ["c d", "failed", 13]
    assert [done["prompt"], done["status"], done["agent"]] == ["a b", "done", "default"]
    assert run("runs list --status failed -o ids").stdout == f"{failed['id']}\n"
    assert run("runs list --limit 1 --page 2 -o ids").stdout == f"{done['id']}\n"
    assert len(run("runs list --session @last -o json").json()) == 2
    assert len(run("runs list --since 1h -o json").json()) == 2
    assert run("runs list --agent coder -o json").json() == []
    assert run("runs list --user somebody -o json").json() == []
    run("runs list --status nonsense", code=2)


def test_a_run_is_shown_with_all_that_happened(run: Line, waiting: str) -> None:
    shown = run("runs show -o json").json()
    assert (shown["id"], shown["status"], shown["exit_code"]) == (waiting, "awaiting_approval", 4)
    assert shown["prompt"] == "Note 東京\nand more"
    (step,) = shown["steps"]
    (call,) = step["calls"]
    assert (step["text"], call["tool"], call["arguments"]) == ("I note it.", "note", {"text": "a\u202eb"})
    assert (call["status"], call["success"]) == ("awaiting_approval", None)
    (approval,) = shown["approvals"]
    assert shown["next"] == [
        f"agentctl approvals approve {approval['id']} --resume",
        f'agentctl approvals deny {approval["id"]} --reason "..."',
    ]
    run(f"approvals approve {approval['id']}")
    assert run(f"runs show {waiting} -o json").json()["next"] == [f"agentctl resume {waiting}"]
    run(f"resume {waiting}")
    shown = run(f"runs show {waiting[-8:]} -o json").json()
    (call,) = shown["steps"][0]["calls"]
    assert (call["status"], call["success"], call["decision"]["by"]) == ("done", True, "person")
    assert shown["usage"]["input"] == 7
    assert shown["next"] == [f'agentctl chat -s {shown["session_id"]} "..."']


def test_a_person_reads_a_report(waiting: str, environ: dict[str, str], tmp_path: Path) -> None:
    terminal = Terminal(f"runs show {waiting}", cwd=tmp_path, environ=environ)
    assert terminal.end() == 0
    report = terminal.seen
    assert f"run {waiting}: awaiting_approval (exit 4)" in report
    assert "prompt   Note 東京 and more" in report
    assert '· note {"text": "a\\u202eb"}' in report
    assert "waits for approval:" in report
    assert "next:\n  agentctl approvals approve ap_" in report


def test_on_a_pipe_a_run_is_lines_of_fields(run: Line, waiting: str) -> None:
    lines = dict(line.split("\t", 1) for line in run("runs show").stdout.splitlines())
    assert lines["id"] == waiting
    assert lines["prompt"] == "Note 東京\\nand more"


def test_runs_of_others_do_not_exist(run: Line, waiting: str) -> None:
    run(f"runs show {waiting} --user somebody", code=6)
    run("runs show", code=6, env={"AGENTCTL_USER": "somebody"})


def test_a_run_whose_process_was_killed_is_shown_as_interrupted(
    start: Start, agentctl: Line, script: Script, store: Store
) -> None:
    chat = start(f"chat 'a b' -m {script(SLOW)}")
    read_until(chat, b"two")
    run = live_run(store)
    assert agentctl("runs list --status running -o ids").stdout == f"{run.id}\n"
    assert agentctl("runs show -o json").json()["next"] == [
        f"agentctl attach {run.id}",
        f"agentctl stop {run.id}",
    ]
    chat.kill()
    chat.communicate(timeout=HANGS)
    assert agentctl("runs list --status running -o ids").stdout == ""
    assert agentctl("runs list --status interrupted -o ids").stdout == f"{run.id}\n"
    shown = agentctl("runs show -o json").json()
    assert (shown["status"], shown["next"][0]) == ("interrupted", f"agentctl resume {run.id}")


def test_only_the_last_run_of_a_session_is_said_to_go_on(run: Line, script: Script) -> None:
    run(f"chat 'a b' -m {script({'error': {'status': 400, 'message': 'no'}})}", code=13)
    (failed,) = run("runs list -o json").json()
    assert run("runs show -o json").json()["next"][0] == f"agentctl resume {failed['id']}"
    run(f"chat -c again -m {script({'text': 'fine'}, name='fine.yaml')}")
    (following,) = run(f"runs show {failed['id']} -o json").json()["next"]
    assert following.startswith("agentctl chat -s ")
