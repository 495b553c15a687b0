"""The command `view`: a file with line numbers, or what is in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentctl.domain.document import Document
from agentctl.tools.base import ToolError
from agentctl.tools.document.reach import marks_of
from agentctl.tools.memory.operations import MOST, Call, missing
from agentctl.tools.memory.paths import place_all, to_path, to_place

_LEVELS = 2


def view(call: Call) -> dict[str, Any]:
    """`id, text` of a file; of a folder `text, entries` with `path, size` (in characters) and `id`."""
    path = call.arguments.path or ""
    document = call.find(path)
    if document is not None:
        return _show_file(call, path, document)
    found = call.below(path, MOST + 1)
    if not found and to_place(path):
        raise ToolError(missing(path))
    if call.arguments.view_range is not None:
        raise ToolError("view_range is for files, not for directories")
    answer = {
        "text": f"Here're the files and directories up to {_LEVELS} levels deep in {path}:",
        "entries": _list(to_place(path), found[:MOST], call.context.user_id),
    }
    return {**answer, "hint": "there are more: view a directory"} if len(found) > MOST else answer


def number_lines(lines: Sequence[str], first: int) -> str:
    """Lines with their numbers, `first` being that of the first one."""
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, start=first))


def _show_file(call: Call, path: str, document: Document) -> dict[str, Any]:
    lines = document.text.split("\n")
    first, last = call.arguments.view_range or (1, -1)
    last = len(lines) if last == -1 else last
    if not 1 <= first <= last <= len(lines):
        raise ToolError(
            f"Invalid `view_range` parameter: {list(call.arguments.view_range or ())}. "
            f"It should be within the range of lines of the file: [1, {len(lines)}]",
            data={"id": document.id},
        )
    text = number_lines(lines[first - 1 : last], first)
    return {
        "id": document.id,
        "text": f"Here's the content of {path} with line numbers:\n{text}",
        **marks_of(document, call.context.user_id),
    }


def _list(folder: str, documents: Sequence[Document], user_id: int | None) -> list[dict[str, Any]]:
    start = len(folder) + 1 if folder else 0
    entries: dict[str, dict[str, Any]] = {}
    for place, document in place_all(documents):
        # A file that goes by its id is found at the root.
        parts = place[start:].split("/") if place.startswith(folder) else [place]
        for level in range(1, min(len(parts), _LEVELS + 1)):
            above = to_path("/".join([*filter(None, [folder]), *parts[:level]])) + "/"
            entries.setdefault(above, {"path": above})
        if len(parts) <= _LEVELS:
            path = to_path(place)
            marks = marks_of(document, user_id)
            entries[path] = {"path": path, "size": document.content_chars, "id": document.id, **marks}
    return list(entries.values())
