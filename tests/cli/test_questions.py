"""A question with more to show than a terminal holds, and one that has fewer answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.tool import Tool
from agentctl.store import Store
from tests.conftest import Outcome
from tests.terminal import Terminal

LONG = "\n".join(f"line {number}" for number in range(100))


@pytest.fixture
def ask(
    environ: dict[str, str], tmp_path: Path, script: Callable[..., str], store: Store
) -> Callable[[str], Terminal]:
    """A person whose agent wants to hash a text; a new pseudo-terminal has no size, so 24 lines count."""
    store.tools.put(Tool("hash", "Hash", "hash", needs_approval=True))
    store.agents.put(
        Agent("default", "Default", title_strategy="none", is_default=True, tools=(AgentTool("hash"),))
    )
    store.revisions.add("test", {})

    def start(text: str) -> Terminal:
        call = {"tool_calls": [{"name": "hash", "arguments": {"text": text}}]}
        return Terminal(f"chat 'a b' -m {script(call, {'text': 'Done.'})}", cwd=tmp_path, environ=environ)

    return start


def test_a_yes_comes_after_the_last_page(ask: Callable[[str], Terminal]) -> None:
    person = ask(LONG)
    seen = person.wait_for("20 of 100 rows")
    assert "line 19" in seen
    assert "line 20" not in seen
    person.type("y\n")
    person.wait_for("20 of 100 rows", count=2)
    for shown in (40, 60, 80):
        person.type("\n")
        person.wait_for(f"{shown} of 100 rows")
    assert "[y] once" not in person.seen
    person.type("\n")
    person.wait_for("[y] once")
    assert all(f"line {number}" in person.seen for number in range(100))
    person.type("y\n")
    assert person.end() == 0
    assert "Done." in person.seen


def test_the_end_can_be_asked_for(ask: Callable[[str], Terminal]) -> None:
    person = ask(LONG)
    person.wait_for("of 100 rows")
    person.type("G\n")
    seen = person.wait_for("[y] once")
    assert "... 80 rows further" in seen
    assert "line 99" in seen
    assert "line 50" not in seen
    person.type("q\n")
    assert person.end() == 130


def test_a_no_may_come_at_once(ask: Callable[[str], Terminal], run: Callable[..., Outcome]) -> None:
    person = ask(LONG)
    person.wait_for("of 100 rows")
    person.type("n\n")
    person.wait_for("Reason")
    person.type("too long\n")
    assert person.end() == 0
    messages: list[dict[str, Any]] = run("sessions messages -o json").json()
    assert "too long" in json.dumps(messages)
