"""Titles of sessions that are there already."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Outcome

Run = Callable[..., Outcome]

AGENTS = """
agents:
  - {slug: asked, title_model: MODEL, title_strategy: llm}
  - {slug: quiet, title_model: MODEL, title_strategy: none}
"""


@pytest.fixture
def sessions(run: Run, script: Callable[..., str], tmp_path: Path) -> dict[str, str]:
    """A session of an agent that wants titles, and one of an agent that does not; the first has none yet."""
    answers = script({"text": "Rice.", "repeat": True}, name="answers.yaml")
    titles = tmp_path / "titles.yaml"
    titles.write_text("replies: [{text: x}]\nplain_text: '**Title:** \"Cooking rice\"'")
    (tmp_path / "agents.yaml").write_text(AGENTS.replace("MODEL", f"script/{titles}"))
    run("apply --yes")
    ids: dict[str, Any] = {}
    for agent in ("asked", "quiet"):
        result = run(f"chat {agent} 'How do I cook rice?' -m {answers} -o json").json()
        ids[agent] = result["session_id"]
    return ids


def title_of(run: Run, session: str) -> str | None:
    title: str | None = run(f"sessions show {session} -o json").json()["title"]
    return title


def test_a_title_is_made_beside_the_answer_and_cleaned(run: Run, sessions: dict[str, str]) -> None:
    assert title_of(run, sessions["asked"]) == "Cooking rice"
    assert title_of(run, sessions["quiet"]) is None


def test_a_person_gives_a_title_and_every_script_may_have_its_words(
    run: Run, sessions: dict[str, str]
) -> None:
    run(f"sessions rename {sessions['asked']} 做饭 'der Reis 🍚' -o json")
    assert title_of(run, sessions["asked"]) == "做饭 der Reis 🍚"
    assert run(f"sessions rename {sessions['asked']} '  '", code=2).stderr.startswith(
        "error: the title is empty"
    )
    run(f"sessions rename {sessions['asked']}", code=2)
    run(f"sessions rename {sessions['asked']} x --auto", code=2)
    run("sessions rename nowhere x", code=6)


def test_a_title_is_made_when_a_person_asks_even_if_the_agent_wants_none(
    run: Run, sessions: dict[str, str]
) -> None:
    outcome = run(f"sessions rename {sessions['quiet']} --auto -o json").json()
    assert outcome == {"id": sessions["quiet"], "title": "Cooking rice"}
    assert title_of(run, sessions["quiet"]) == "Cooking rice"


def test_missing_titles_are_made_for_agents_that_want_them(
    run: Run, sessions: dict[str, str], store: Any
) -> None:
    store.database.execute("UPDATE agent_sessions SET title = NULL")
    made = run("sessions title --pending -o json").json()
    assert made == [{"id": sessions["asked"], "title": "Cooking rice"}]
    assert title_of(run, sessions["quiet"]) is None
    assert run("sessions title --pending -o json --user somebody").json() == []


def test_the_first_line_stands_in_where_the_title_model_is_gone(
    run: Run, sessions: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "titles.yaml").unlink()
    assert run(f"sessions rename {sessions['asked']} --auto -o json").json()["title"] == "How do I cook rice?"
