"""docs/script-provider.md is true: its file is played, and says what stands there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from agentctl.providers.base import FaultKind
from agentctl.providers.script import file
from agentctl.providers.script.values import FINISHES, MOST_TOKENS

DOCUMENT = (Path(__file__).parents[3] / "docs" / "script-provider.md").read_text(encoding="utf-8")


def find_block(language: str) -> str:
    block = re.search(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    assert block
    return block[1]


def read_session() -> list[tuple[str, str]]:
    """The commands of the example and what each prints."""
    entries = find_block("console").split("$ agentctl ")[1:]
    return [(line, answer) for line, _, answer in (entry.partition("\n") for entry in entries)]


def test_the_example_answers_as_it_says(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "replies.yaml").write_text(find_block("yaml"), encoding="utf-8")
    session = read_session()
    assert len(session) == 3
    for line, answer in session:
        outcome = run(line)
        assert outcome.stdout == answer
    assert "retrying in" in outcome.stderr
    assert "too much" in run("chat -c -m script/replies.yaml Hm?", code=13).stderr
    (shown,) = run("sessions list -o json").json()
    assert shown["title"] == "Products"


@pytest.mark.parametrize(
    "word", [*file.REPLY_KEYS, *file.USAGE_KEYS, *FINISHES, *get_args(FaultKind), f"{MOST_TOKENS:,}"]
)
def test_every_word_of_the_format_is_explained(word: str) -> None:
    assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", DOCUMENT.partition("## A reply")[2])
