"""The command `rename`: a file, or a folder with all that is in it."""

from __future__ import annotations

from typing import Any

from agentctl.tools.base import ToolError
from agentctl.tools.memory.operations import MOST, Call, missing
from agentctl.tools.memory.paths import to_place


def rename(call: Call) -> dict[str, Any]:
    """`id, text` of a file; of a folder `text, entries` with each `id`. Nothing is written over."""
    old, new = call.arguments.old_path or "", call.arguments.new_path or ""
    document = call.find(old)
    files = [document] if document else call.below(old, MOST + 1)
    if not files:
        raise ToolError(missing(old))
    if len(files) > MOST:
        raise ToolError(f"The directory {old} holds more than {MOST:,} files")
    if call.find(new) is not None or call.below(new, 1):
        raise ToolError(f"The destination {new} already exists")
    before, after = to_place(old), to_place(new)
    if document is None and after.startswith(f"{before}/"):
        raise ToolError(f"The destination {new} is inside of {old}")
    titles = [(each.id, after if document else after + each.title[len(before) :]) for each in files]
    call.service.folders.rename(call.context.user_id, titles, untrusted=call.context.saw_untrusted)
    said = f"Successfully renamed {old} to {new}"
    if document is not None:
        return {"id": document.id, "text": said}
    return {"text": said, "entries": [{"id": each.id} for each in files]}
