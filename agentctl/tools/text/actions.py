"""What the tool `text` can do, one function an action."""

from __future__ import annotations

import re

from agentctl.tools.failure import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# What editors and `wc` agree on; form feeds and U+2028 end no line.
_BREAK = re.compile("\r\n|\r|\n")


def perform(request: Mapping[str, Any]) -> dict[str, Any]:
    """The result of one request. Raises ToolError for what the action lacks."""
    text, action = request["text"], request["action"]
    if action == "count":
        from agentctl.tools.text.counts import count

        return {**count(text), "lines": len(split_lines(text))}
    if action == "diff":
        return _compare(text, request["other"], request["context"])
    lines = split_lines(text)
    if action == "lines":
        return {"text": _take(lines, request["first"], request["last"], numbered=request["numbered"])}
    if action == "dedupe":
        return _drop_repeated(lines, ignore_case=request["ignore_case"])
    from agentctl.tools.text.orders import sort

    return {"text": "\n".join(sort(lines, request["order"], reverse=request["reverse"]))}


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends; what follows a last line break is no further line."""
    lines = _BREAK.split(text)
    if not lines[-1]:
        lines.pop()
    return lines


def _take(lines: list[str], first: int, last: int, *, numbered: bool) -> str:
    start = max(0, first - 1 if first > 0 else len(lines) + first if first < 0 else 0)
    end = last if last > 0 else len(lines) + 1 + last if last < 0 else 0
    taken = lines[start : max(end, 0)]
    if not taken:
        raise ToolError(f"there are no such lines: the text has {len(lines):,}")
    if numbered:
        width = len(str(start + len(taken)))
        taken = [f"{number:>{width}}  {line}" for number, line in enumerate(taken, start + 1)]
    return "\n".join(taken)


def _drop_repeated(lines: list[str], *, ignore_case: bool) -> dict[str, Any]:
    kept: dict[str, str] = {}
    for line in lines:
        kept.setdefault(line.casefold() if ignore_case else line, line)
    return {"text": "\n".join(kept.values()), "removed": len(lines) - len(kept)}


def _compare(old: str, new: str | None, context: int) -> dict[str, Any]:
    if new is None:
        raise ToolError('the action "diff" needs "other"')
    from agentctl.tools.text.comparison import compare, unified

    before, after = split_lines(old), split_lines(new)
    changes = compare(before, after)
    return {
        "text": "\n".join(unified(before, after, changes, context)),
        "added": sum(change.new_end - change.new for change in changes),
        "removed": sum(change.old_end - change.old for change in changes),
    }
