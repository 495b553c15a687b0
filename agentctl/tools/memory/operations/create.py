"""The command `create`."""

from __future__ import annotations

from typing import Any

from agentctl.domain.document import NewDocument
from agentctl.tools.base import ToolError
from agentctl.tools.memory.operations import Call
from agentctl.tools.memory.paths import to_path, to_place


def create(call: Call) -> dict[str, Any]:
    """`id, text`; a text that is kept already is not stored twice, and `text` says where it is."""
    path, context = call.arguments.path or "", call.context
    if call.find(path) is not None:
        raise ToolError(f"File {path} already exists")
    if call.below(path, 1):
        raise ToolError(f"The path {path} is a directory")
    new = NewDocument(
        title=to_place(path),
        content=call.arguments.file_text or "",
        type="memory",
        author="agent",
        untrusted=context.saw_untrusted,
        recalled=context.recalled,
    )
    created = call.service.create(context.user_id, new, most=call.config.max_content_length)
    if created.existing:
        kept = to_path(created.document.title)
        return {"id": created.document.id, "text": f"Not created: {kept} says the same already"}
    return {"id": created.document.id, "text": f"File created successfully at: {path}"}
