"""Reads tool calls that a small model wrote as plain text: bare, fenced or tagged `{"name", "arguments"}`."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from agentctl.providers.wire.documents import cut_documents

_FENCE = r"(?s)\s*```[a-z_]*\s*\n?(.*?)\n?\s*```\s*\Z"
_TAGS = r"</?tool_call>"
_START = r"\s*(?:```(?:json|tool_call|tool_code)?\s*)?(?:<tool_call>\s*)?[{\[]"
# No start of a call is longer than this; anything else is let through at once.
_LONGEST_START = 40


class LenientText:
    """Holds text back as long as it may be nothing but calls of the tools in `names`."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._held: list[str] = []
        self._start = ""
        self._decided = False
        self._holding = True

    def feed(self, piece: str) -> str:
        """What can be shown after `piece`."""
        if not self._holding:
            return piece
        self._held.append(piece)
        if self._decided:
            return ""
        self._start += piece
        if re.match(_START, self._start):
            self._decided = True
        elif not _may_start(self._start):
            self._holding = False
            return self._release()
        return ""

    def close(self) -> tuple[str, list[dict[str, Any]]]:
        """The text that is left to show, and the calls in the shape of `tool_calls`; one of them is empty."""
        text = self._release()
        calls = find_calls(text, self._names)
        return ("", calls) if calls else (text, [])

    def _release(self) -> str:
        text = "".join(self._held)
        self._held = []
        return text


def find_calls(text: str, names: Collection[str]) -> list[dict[str, Any]]:
    """The calls that `text` consists of, [] where there is anything else in it or another name."""
    match = re.match(_FENCE, text)
    values, rest = cut_documents(re.sub(_TAGS, " ", match[1] if match else text))
    if rest:
        return []
    if len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    calls = [_read_call(value, names) for value in values]
    return [call for call in calls if call] if all(calls) else []


def _read_call(value: Any, names: Collection[str]) -> dict[str, Any] | None:
    """One call in the shape of a member of `tool_calls`, or None."""
    if not isinstance(value, Mapping):
        return None
    value = value["function"] if isinstance(value.get("function"), Mapping) else value
    name = value.get("name")
    arguments = value.get("arguments", value.get("parameters"))
    if not isinstance(name, str) or name not in names or not isinstance(arguments, (Mapping, str)):
        return None
    if isinstance(arguments, Mapping):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return {"function": {"name": name, "arguments": arguments}}


def _may_start(text: str) -> bool:
    """Whether `text` can still become the start of a call."""
    if len(text) > _LONGEST_START:
        return False
    bare = text.lstrip()
    known = ("```json\n", "```tool_call\n", "```tool_code\n", "<tool_call>", "```\n")
    return any(start.startswith(bare) or bare.startswith(start) for start in known)
