"""Collects what is wrong in one file, each with its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.errors import did_you_mean
from agentctl.formats.document import Document, Problem
from agentctl.sync.fields import FORBIDDEN, OTHER_NAMES, Field

# More than anybody reads at once; suggestions for tens of thousands of bad names would take minutes.
MAX_PROBLEMS = 200


class TooManyError(Exception):
    """A file has so many problems that looking for more of them is of no use."""


class Report:
    """The problems of one document, in the order in which they are found.

    Every `at_...` raises TooManyError when there are MAX_PROBLEMS.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = list(document.faults)

    def at_value(self, container: Any, key: str | int, message: str) -> None:
        """Something is wrong with the value under `key`."""
        self._add(self.document.where_value(container, key), message)

    def at_key(self, container: Mapping[str, Any], key: str, message: str) -> None:
        """Something is wrong with the key itself."""
        self._add(self.document.where_key(container, key), message)

    def at_start(self, container: Any, message: str) -> None:
        """Something is wrong with a mapping or list as a whole."""
        self._add(self.document.where_start(container), message)

    def at_document(self, message: str) -> None:
        """Something is wrong with the document as a whole."""
        self._add(self.document.where(()), message)

    def finish(self) -> list[Problem]:
        """All problems; a surprising word is one too, unless its place was complained about already."""
        taken = {(problem.line, problem.column) for problem in self.problems}
        surprises = [found for found in self.document.surprises if (found.line, found.column) not in taken]
        return sorted({*self.problems, *surprises})

    def fields(self, entry: Mapping[str, Any], table: Mapping[str, Field]) -> dict[str, Any]:
        """The sound fields of `entry`; every other one is reported, and so is what is missing."""
        sound: dict[str, Any] = {}
        for key, value in entry.items():
            field = table.get(key)
            if field is None:
                self.at_key(entry, key, unknown_key(key, table))
            elif value is None and field.nullable:
                continue
            elif self._is_sound(entry, key, field):
                sound[key] = value
        for field in table.values():
            if field.required and field.name not in entry:
                self.at_start(entry, f"`{field.name}` is missing")
        return sound

    def _is_sound(self, entry: Mapping[str, Any], key: str, field: Field) -> bool:
        value = entry[key]
        message = field.kind.check(value)
        if message:
            self.at_value(entry, key, f"{key}: {message}")
            return False
        item = field.kind.item
        if item is None or not isinstance(value, list):
            return True
        faults = [(index, found) for index, each in enumerate(value) if (found := item.check(each))]
        for index, message in faults:
            self.at_value(value, index, f"{key}: {message}")
        return not faults

    def _add(self, place: tuple[int, int], message: str) -> None:
        self.problems.append(Problem(self.document.name, *place, message))
        if len(self.problems) >= MAX_PROBLEMS:
            raise TooManyError


def unknown_key(key: str, table: Mapping[str, Field]) -> str:
    """What to say about a key that is not in `table`."""
    if key in FORBIDDEN:
        return f"`{key}` is not allowed: {FORBIDDEN[key]}"
    other = OTHER_NAMES.get(key)
    guess = f' (did you mean "{other}"?)' if other in table else did_you_mean(key, table)
    return f"unknown key `{key}`{guess}"
