"""The command `str_replace`."""

from __future__ import annotations

from typing import Any

from agentctl.tools.base import ToolError
from agentctl.tools.memory.operations import Call
from agentctl.tools.memory.operations.view import number_lines

# Lines around the change that are shown.
_AROUND = 3


def replace(call: Call) -> dict[str, Any]:
    """`id, text`; the text shows the lines around the change."""
    arguments = call.arguments
    old, new = arguments.old_str or "", arguments.new_str or ""
    document = call.require(arguments.path)
    content = document.text
    places = _find_all(content, old)
    if len(places) != 1:
        raise ToolError(_explain(content, places, old, arguments.path), data={"id": document.id})
    changed = content[: places[0]] + new + content[places[0] + len(old) :]
    call.rewrite(document, changed)
    lines, line = changed.split("\n"), content.count("\n", 0, places[0])
    first, last = max(0, line - _AROUND), line + new.count("\n") + _AROUND + 1
    shown = number_lines(lines[first:last], first + 1)
    return {"id": document.id, "text": f"The memory file has been edited.\n{shown}"}


def _find_all(content: str, old: str) -> list[int]:
    places, at = [], content.find(old)
    while at >= 0:
        places.append(at)
        at = content.find(old, at + len(old))
    return places


def _explain(content: str, places: list[int], old: str, path: str | None) -> str:
    if not places:
        return f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
    lines = ", ".join(str(content.count("\n", 0, at) + 1) for at in places)
    return (
        f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
        "Please ensure it is unique"
    )
