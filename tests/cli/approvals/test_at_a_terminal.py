"""At a terminal: arguments are edited before they are allowed, and nothing of a call can hide."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.rule import Rule
from agentctl.domain.tool import Tool
from agentctl.store import Store
from tests.conftest import Outcome
from tests.terminal import Terminal
from tests.waiting import ask, begin_run

Run = Callable[..., Outcome]
Pause = Callable[..., list[str]]
Open = Callable[..., Terminal]


@pytest.fixture
def terminal(environ: dict[str, str], tmp_path: Path) -> Open:
    def call(line: str, **env: Any) -> Terminal:
        return Terminal(line, cwd=tmp_path, environ={**environ, **env})

    return call


@pytest.fixture
def editor(tmp_path: Path) -> Callable[[str], str]:
    """An editor that leaves this text in the file."""

    def make(text: str) -> str:
        program = tmp_path / "editor.py"
        program.write_text(f"import sys\nopen(sys.argv[1], 'w', encoding='utf-8').write({text!r})\n")
        return f"{sys.executable} {program}"

    return make


def test_edited_arguments_are_those_that_run(
    terminal: Open, pause: Pause, editor: Callable[[str], str], run: Run
) -> None:
    (approval,) = pause("1+1", then={"match": "42", "text": "It is 42."})
    asked = run(f"approvals show {approval} -o json").json()
    person = terminal(f"approvals approve {approval} --edit --resume", EDITOR=editor('{"expression": "6*7"}'))
    assert person.end() == 0
    assert "It is 42." in person.seen
    shown = run(f"approvals show {approval} -o json").json()
    assert shown["arguments"] == {"expression": "6*7"}
    assert shown["status"] == "consumed"
    assert shown["hash"] != asked["hash"]
    answers = [row["data"] for row in run("approvals audit -o json").json() if row["event"] == "answer"]
    assert [(each["how"], each["hash"]) for each in answers] == [("approvals approve --edit", shown["hash"])]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"expression": 5, "more": 1}', "the edited arguments do not hold"),
        ('{"expression": "6*7"', "nothing was approved"),
        ('["6*7"]', "no JSON object"),
    ],
)
def test_what_does_not_hold_is_not_approved(
    terminal: Open, pause: Pause, editor: Callable[[str], str], run: Run, text: str, words: str
) -> None:
    (approval,) = pause("1+1")
    person = terminal(f"approvals approve {approval} --edit", EDITOR=editor(text))
    assert person.end() == 2
    assert words in person.seen
    shown = run(f"approvals show {approval} -o json").json()
    assert (shown["status"], shown["arguments"]) == ("pending", {"expression": "1+1"})


def test_an_editor_that_fails_approves_nothing(terminal: Open, pause: Pause, run: Run) -> None:
    (approval,) = pause("1+1")
    for command in ("false", "/no/such/editor"):
        assert terminal(f"approvals approve {approval} --edit", EDITOR=command).end() == 2
    assert run(f"approvals show {approval} -o json").json()["status"] == "pending"


@pytest.mark.parametrize("place", ["agent", "tool", "run"])
def test_an_edited_call_that_a_rule_denies_is_not_approved(
    terminal: Open, pause: Pause, editor: Callable[[str], str], run: Run, store: Store, place: str
) -> None:
    flags = "--deny 'calculator expression=6*7'" if place == "run" else ""
    (approval,) = pause("1+1", flags=flags)
    rule = Rule("deny", "calculator", where={"expression": {"re": "6.7"}}, reason="too large")
    if place == "agent":
        tools = (AgentTool("calculator"),)
        store.agents.put(Agent("default", "Default", is_default=True, tools=tools, approvals=(rule,)))
    if place == "tool":
        store.tools.put(
            Tool("calculator", "Calculator", "calculator", needs_approval=True, approvals=(rule,))
        )
    person = terminal(f"approvals approve {approval} --edit", EDITOR=editor('{"expression": "6*7"}'))
    assert person.end() == 3
    assert "the edited call is denied by" in person.seen
    assert run(f"approvals show {approval} -o json").json()["status"] == "pending"


def test_editing_needs_a_terminal_and_one_call(pause: Pause, run: Run) -> None:
    first, second = pause("1+1", "2+2")
    assert "needs a terminal" in run(f"approvals approve {first} --edit", code=2).stderr
    assert "one call" in run(f"approvals approve {first} {second} --edit", code=2).stderr
    assert len(run("approvals list --status pending -o json").json()) == 2


def test_nothing_of_a_call_can_hide_on_a_terminal(terminal: Open, asking: Store, run: Run) -> None:
    hidden = "safe\x1b[2K\x1b]0;title\x07\x9b31m\u202eevil\u200b\x00" + "x" * 300 + "THE END"
    approval = ask(asking, begin_run(asking), arguments={"expression": hidden}, why="\x1b[2Kwhy")
    for line in (f"approvals show {approval.id}", "approvals list", f"approvals show {approval.id} -o table"):
        person = terminal(line, COLUMNS="200")
        assert person.end() == 0
        assert not set("\x1b\x07\x9b\u202e\u200b\x00") & set(person.seen), line
    assert "\\u202e" in person.seen
    assert "THE END" in "".join(part.strip().removeprefix("| ") for part in person.seen.split("\n"))
    assert json.loads(run(f"approvals show {approval.id} -o json").stdout)["arguments"] == {
        "expression": hidden
    }
