"""Compares what a replay sends with what was recorded, and shows where they part."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import unified_diff
from itertools import islice, takewhile
from typing import Any

from agentctl.errors import ProviderError

AGAIN = "If the change is meant, record it anew with --record."
# Ids of ours, which may be others in a database that holds the recorded session already.
_ID = re.compile(r"\b(a[a-z])_[0-9a-z]{6,12}_[0-9a-z]{8}\b")
_WIDTH = 120
_AROUND = 3
_COMPARED = 60
_SHOWN = 40


def compare(recorded: Any, sent: Any, where: str) -> None:
    """Raise ProviderError with a diff where two JSON values differ in more than the ids of this database.

    `where` names the recording and what is compared.
    """
    before, after = _pretty(recorded), _pretty(sent)
    if before == after:
        return
    diff = "\n".join(_differ(before.split("\n"), after.split("\n")))
    raise ProviderError(
        f"{where} is not what was recorded", hint=f"{AGAIN} Recorded (-) and now (+):\n{diff}"
    )


def _pretty(value: Any) -> str:
    """One line a value, lines of texts apart, and ids by the order in which they appear."""
    numbers: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        return numbers.setdefault(match[0], f"{match[1]}_{len(numbers) + 1}")

    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    return _ID.sub(number, text)


def _differ(before: list[str], after: list[str]) -> list[str]:
    """The lines around the first difference, with marks, in print; bounded whatever the texts are."""
    before, after = _wrap(before), _wrap(after)
    first = next(
        (number for number, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]),
        min(len(before), len(after)),
    )
    part = slice(max(0, first - _AROUND), first + _COMPARED)
    marked = unified_diff(before[part], after[part], lineterm="", n=_AROUND)
    # Two lines name the files and one the place. What follows the next such line is another difference.
    hunk = list(takewhile(lambda line: not line.startswith("@@"), islice(marked, 3, None)))
    shown = ["".join(letter if letter.isprintable() else "?" for letter in line) for line in hunk[:_SHOWN]]
    return shown if len(hunk) <= _SHOWN else [*shown, "..."]


def _wrap(lines: list[str]) -> list[str]:
    """Long texts at their line breaks and after so many characters, for a difference must be seen."""
    wrapped: list[str] = []
    for line in lines:
        for part in line.replace("\\n", "\\n\n").split("\n"):
            wrapped += [part[start : start + _WIDTH] for start in range(0, len(part), _WIDTH)]
    return wrapped


def same(first: Mapping[str, Any] | None, second: Mapping[str, Any] | None) -> bool:
    """Whether two JSON objects differ in nothing but ids of ours."""
    return _pretty(first) == _pretty(second)
