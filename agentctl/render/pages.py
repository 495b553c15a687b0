"""A call laid out for a person who decides on it: whole, with nothing hidden, in rows that fit a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from unicodedata import combining, east_asian_width

from agentctl.render.controls import show_controls

INDENT = "  "
# Begins a row that goes on with the text of the row above; arguments never begin with it.
GOES_ON = "  | "


def lay_out(arguments: Mapping[str, Any], columns: int) -> list[str]:
    """Rows of at most `columns` cells that hold all arguments, each line of a text on a row of its own.

    Control, bidirectional and zero-width characters are spelt out.
    """
    if not arguments:
        return [f"{INDENT}(no arguments)"]
    return [row for name, value in arguments.items() for row in _rows(name, value, columns)]


def _rows(name: str, value: Any, columns: int) -> Iterator[str]:
    text = json.dumps(value, ensure_ascii=False)
    start = f"{INDENT}{show_controls(name)} = "
    # Only a text has escaped line ends, and each is followed by what stands on the next line.
    for line in _lines(text) if isinstance(value, str) else [text]:
        yield from _wrap(start + show_controls(line), columns)
        start = GOES_ON


def _lines(text: str) -> Iterator[str]:
    """A JSON string cut after each of its line ends, which stay; a backslash of the text is two here."""
    begin = place = 0
    while place < len(text):
        if text[place] != "\\":
            place += 1
            continue
        place += 2
        if text[place - 1] == "n" and place < len(text) - 1:
            yield text[begin:place]
            begin = place
    yield text[begin:]


def _wrap(text: str, columns: int) -> Iterator[str]:
    # At least a few cells, on whatever a terminal says of itself.
    room = max(columns, 20)
    row, used = "", 0
    for character in text:
        width = _width(character)
        if used + width > room:
            yield row
            row, used = GOES_ON, len(GOES_ON)
        row, used = row + character, used + width
    yield row


def _width(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1
