"""The action `read`: one document by id, or a ranked list for words."""

from __future__ import annotations

from typing import Any

from agentctl.documents.budget import CONTENT_TOO_LONG, is_over
from agentctl.domain.ids import rfc3339
from agentctl.tools.document.operations import Call
from agentctl.tools.document.operations.list import list_documents
from agentctl.tools.document.reach import marks_of, reach_of


def read(call: Call) -> dict[str, Any]:
    """Summary and metadata; `content` with full_content, a `hint` where it would be over the budget."""
    arguments = call.arguments
    if arguments.id is None:
        return list_documents(call)
    document = call.desk.service.read(call.context.user_id, arguments.id, reach=reach_of(call.config))
    answer: dict[str, Any] = {
        "id": document.id,
        "title": document.title,
        "type": document.type,
        "summary": document.summary,
        "tags": list(document.tags),
        "content_chars": document.content_chars,
        "created_at": rfc3339(document.created_at),
        "updated_at": rfc3339(document.updated_at),
        **marks_of(document, call.context.user_id),
    }
    if arguments.full_content:
        return {**answer, "content": document.text}
    return (
        {**answer, "hint": CONTENT_TOO_LONG} if is_over(document.text, call.config.token_budget) else answer
    )
