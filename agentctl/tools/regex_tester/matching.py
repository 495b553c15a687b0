"""Tries a pattern on a text; runs in a guarded child only, for nothing else can stop a pattern."""

from __future__ import annotations

import re

from agentctl.tools.failure import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MOST_MATCHES = 100
MOST_CHARACTERS = 500
MOST_REPLACED = 200_000

_FLAGS = {
    "a": re.ASCII,
    "i": re.IGNORECASE,
    "m": re.MULTILINE,
    "s": re.DOTALL,
    "x": re.VERBOSE,
}


def perform(request: Mapping[str, Any]) -> dict[str, Any]:
    """All matches of `pattern` in `text` under `flags`, and the text with `replacement` where there is one.

    Raises ToolError for a pattern or a replacement that Python does not understand.
    """
    pattern = _compile(request["pattern"], request["flags"])
    matches: list[dict[str, Any]] = []
    count = 0
    for count, match in enumerate(pattern.finditer(request["text"]), 1):
        if count <= MOST_MATCHES:
            matches.append(_describe(match))
    result: dict[str, Any] = {"count": count, "matches": matches}
    if count > MOST_MATCHES:
        result["note"] = f"only the first {MOST_MATCHES} matches are listed"
    if request["replacement"] is not None:
        result["replaced"] = _replace(pattern, request["replacement"], request["text"])
    return result


def _compile(pattern: str, letters: str) -> re.Pattern[str]:
    flags = re.RegexFlag(0)
    for letter in letters:
        flags |= _FLAGS[letter]
    try:
        return re.compile(pattern, flags)
    except re.error as error:
        where = "" if error.pos is None else f" at character {error.pos + 1}"
        raise ToolError(f"the pattern is not valid: {error.msg}{where}") from None
    except (OverflowError, RecursionError, ValueError) as error:
        raise ToolError(f"the pattern is not valid: {error}") from None


def _describe(match: re.Match[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"match": _cut(match[0]), "start": match.start(), "end": match.end()}
    if match.re.groups:
        found["groups"] = [None if group is None else _cut(group) for group in match.groups()]
    if match.re.groupindex:
        found["named"] = {
            name: None if group is None else _cut(group) for name, group in match.groupdict().items()
        }
    return found


def _replace(pattern: re.Pattern[str], replacement: str, text: str) -> str:
    try:
        return _cut(pattern.sub(replacement, text), MOST_REPLACED)
    except (re.error, IndexError) as error:
        raise ToolError(
            f"the replacement is not valid: {error}; groups are written \\1 or \\g<name>"
        ) from None


def _cut(text: str, most: int = MOST_CHARACTERS) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"
