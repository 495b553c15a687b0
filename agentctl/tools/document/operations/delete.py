"""The action `delete`."""

from __future__ import annotations

from typing import Any

from agentctl.tools.document.operations import Call


def delete(call: Call) -> dict[str, Any]:
    """`id, deleted`; with `hard_delete` in the config nothing of it can be taken back."""
    document_id, trash = call.arguments.id or "", call.desk.service.trash
    remove = trash.hard_delete if call.config.hard_delete else trash.delete
    remove(call.context.user_id, [document_id])
    return {"id": document_id, "deleted": True}
