"""The action `update`."""

from __future__ import annotations

from typing import Any

from agentctl.domain.document import DocumentChange
from agentctl.domain.ids import rfc3339
from agentctl.tools.document.operations import Call


def update(call: Call) -> dict[str, Any]:
    """`id, title, updated_at`."""
    arguments = call.arguments
    change = DocumentChange(
        title=arguments.title,
        content=arguments.content,
        summary=arguments.summary,
        tags=arguments.tags,
        untrusted=call.context.saw_untrusted,
        summary_length=call.config.default_summary_length,
    )
    document = call.desk.service.update(
        call.context.user_id, arguments.id or "", change, most=call.config.max_content_length
    )
    return {"id": document.id, "title": document.title, "updated_at": rfc3339(document.updated_at)}
