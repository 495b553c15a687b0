"""`notify:` reaches somebody: a real program gets each call that waits, and never stands in the way."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.app.notify import Notifier
from agentctl.store import Store
from tests.conftest import Outcome
from tests.waiting import ask, begin_run

Run = Callable[..., Outcome]
Pause = Callable[..., list[str]]
# Adds what it reads, and what its environment holds, to the file that it is told.
PROGRAM = """
import json, os, sys
call = json.loads(sys.stdin.read())
with open(sys.argv[1], "a", encoding="utf-8") as file:
    file.write(json.dumps({"call": call, "environ": dict(os.environ), "cwd": os.getcwd()}) + "\\n")
"""


@pytest.fixture
def inbox(asking: Store, tmp_path: Path) -> Path:
    """The file that a program writes to which is told of what waits."""
    told(asking, [sys.executable, "-c", PROGRAM, str(tmp_path / "inbox.jsonl")])
    return tmp_path / "inbox.jsonl"


def told(store: Store, words: list[str]) -> None:
    store.settings.set("notify", json.dumps(words))


def read(inbox: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in inbox.read_text().splitlines()] if inbox.exists() else []


def test_each_new_call_that_waits_is_told_once(inbox: Path, pause: Pause, run: Run) -> None:
    first, second = pause("1+1", "2+2")
    calls = [entry["call"] for entry in read(inbox)]
    rows = run("approvals list -o json").json()
    assert sorted(calls, key=str) == sorted(({**row, "user": "tester"} for row in rows), key=str)
    run(f"approvals approve {first}")
    run(f"resume {rows[0]['run_id']}", code=4)
    assert len(read(inbox)) == 2
    assert run(f"approvals show {second} -o json").json()["status"] == "pending"


def test_the_program_gets_no_keys_and_nothing_of_agentctl(
    inbox: Path, asking: Store, script: Callable[..., str], agentctl: Run
) -> None:
    model = script({"tool_calls": [{"name": "calculator", "arguments": {"expression": "1"}}]})
    agentctl(f"chat 'a b' -m {model}", code=4, env={"OPENAI_API_KEY": "sk-secret", "MINE": "x"})
    (entry,) = read(inbox)
    environ = entry["environ"]
    assert isinstance(environ, dict)
    assert not {"OPENAI_API_KEY", "MINE", "AGENTCTL_HOME"} & set(environ)
    assert environ["AGENTCTL_INSIDE_TOOL"]
    assert entry["cwd"] == "/"


def test_a_program_that_fails_is_a_warning_and_the_run_paused_all_the_same(
    asking: Store, script: Callable[..., str], run: Run
) -> None:
    model = script({"tool_calls": [{"name": "calculator", "arguments": {"expression": "1"}}]})
    for words, warning in (
        ([sys.executable, "-c", "raise SystemExit(3)"], f"notify: {sys.executable} ended with 3"),
        (["/no/such/program"], "notify: /no/such/program cannot be run: No such file or directory"),
        (["with\0nul"], "cannot be run"),
    ):
        told(asking, words)
        paused = run(f"chat 'a b' -m {model} -o json", code=4)
        assert paused.json()["outcome"] == "paused"
        assert "warning: notify: " in paused.stderr
        assert warning in paused.stderr


def test_nobody_is_told_where_no_program_is_named(pause: Pause, run: Run) -> None:
    pause("1+1")
    assert "notify" not in run("approvals list").stderr


@pytest.mark.slow
def test_a_program_that_takes_too_long_is_ended_with_what_it_started(asking: Store, tmp_path: Path) -> None:
    child = tmp_path / "child"
    told(asking, ["sh", "-c", f"sleep 60 & echo $! > {child}; wait"])
    place = begin_run(asking)
    ask(asking, place)
    warnings: list[str] = []
    user = asking.users.ensure("tester")
    began = time.monotonic()
    Notifier(asking, user, os.environ.get, warnings.append, seconds=1).announce(place[2])
    assert time.monotonic() - began < 20
    assert warnings == ["warning: notify: sh took longer than 1 s and was ended"]
    deadline = time.monotonic() + 20
    while Path(f"/proc/{child.read_text().strip()}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{child.read_text().strip()}").exists()


def test_a_program_that_reads_nothing_holds_up_nobody(asking: Store) -> None:
    told(asking, ["true"])
    place = begin_run(asking)
    ask(asking, place, arguments={"expression": "1+" * 500_000})
    warnings: list[str] = []
    Notifier(asking, asking.users.ensure("tester"), os.environ.get, warnings.append).announce(place[2])
    assert warnings == []
