"""The action `create`."""

from __future__ import annotations

from typing import Any

from agentctl.domain.document import NewDocument
from agentctl.domain.ids import rfc3339
from agentctl.tools.document.operations import Call


def create(call: Call) -> dict[str, Any]:
    """`id, title, type, created_at`; `existing` where a memory says so already, `similar_to` where nearly."""
    arguments, context = call.arguments, call.context
    tier = arguments.tier or "long_term"
    new = NewDocument(
        title=arguments.title or "",
        content=arguments.content or "",
        type=arguments.type or "memory",
        summary=arguments.summary,
        tags=arguments.tags or (),
        session_id=arguments.session_id or (context.session_id if tier == "session" else None),
        tier=tier,
        author="agent",
        untrusted=context.saw_untrusted,
        recalled=context.recalled,
        summary_length=call.config.default_summary_length,
    )
    created = call.desk.service.create(context.user_id, new, most=call.config.max_content_length)
    document = created.document
    answer: dict[str, Any] = {
        "id": document.id,
        "title": document.title,
        "type": document.type,
        "created_at": rfc3339(document.created_at),
    }
    if created.existing:
        return {**answer, "existing": True}
    return {**answer, "similar_to": document.similar_to} if document.similar_to else answer
