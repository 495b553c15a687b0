"""The command `delete`: a file, or a folder with all that is in it."""

from __future__ import annotations

from typing import Any

from agentctl.tools.base import ToolError
from agentctl.tools.memory.operations import MOST, Call, missing


def delete(call: Call) -> dict[str, Any]:
    """`id, text` of a file; of a folder `text, entries` with each `id`."""
    path, trash = call.arguments.path, call.service.trash
    remove = trash.hard_delete if call.config.hard_delete else trash.delete
    said = f"Successfully deleted {path}"
    document = call.find(path)
    if document is not None:
        remove(call.context.user_id, [document.id])
        return {"id": document.id, "text": said}
    ids = [each.id for each in call.below(path, MOST + 1)]
    if not ids:
        raise ToolError(missing(path))
    if len(ids) > MOST:
        raise ToolError(f"The directory {path} holds more than {MOST:,} files")
    remove(call.context.user_id, ids)
    return {"text": said, "entries": [{"id": each} for each in ids]}
