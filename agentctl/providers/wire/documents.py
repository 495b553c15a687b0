"""Cuts the JSON documents out of an event, however many there are."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agentctl.providers.arguments import is_deeper

# Servers send raw control characters inside strings; RFC 8259 forbids them, but the text is clear.
_DECODER = json.JSONDecoder(strict=False)
# Without the detour over two regular expressions that `decode` takes; most events are one small object.
_SCAN: Callable[[str, int], tuple[Any, int]] = _DECODER.scan_once  # type: ignore[attr-defined]
_SPACE = " \t\r\n\ufeff"
DONE = "[DONE]"
# Arguments of calls may be deep; what holds them is no deeper than this in any protocol.
_DEEPEST = 200


def cut_documents(data: str) -> tuple[list[Any], str]:
    """The values that `data` starts with, and the rest that is no JSON ("" where all of it is).

    Several documents in one event are what a server sends that forgets the empty line between two. Values
    that nest too deeply to be written again are no JSON either.
    """
    values, rest = _cut(data)
    if data.count("{") + data.count("[") > _DEEPEST and is_deeper(values, _DEEPEST):
        return [], data
    return values, rest


def _cut(data: str) -> tuple[list[Any], str]:
    values: list[Any] = []
    position = 0
    try:
        value, position = _SCAN(data, 0)
        values.append(value)
    except (StopIteration, ValueError, RecursionError):
        pass
    while True:
        while position < len(data) and data[position] in _SPACE:
            position += 1
        if position == len(data):
            return values, ""
        try:
            value, position = _DECODER.raw_decode(data, position)
        except (ValueError, RecursionError):
            return values, data[position:]
        values.append(value)


def find_late_document(rest: str) -> Any:
    """The last line of `rest` (after its first) that is a JSON object, or None.

    A proxy whose upstream breaks in the middle of an event appends its error object on a new line.
    """
    for line in reversed(rest.split("\n")[1:]):
        line = line.strip(_SPACE).removeprefix("data:").lstrip()
        if not line.startswith("{"):
            continue
        try:
            return _DECODER.decode(line)
        except (ValueError, RecursionError):
            continue
    return None


def is_done(data: str) -> bool:
    """Whether `data` is the mark at the end of a stream."""
    return data.lstrip(_SPACE).startswith(DONE)
