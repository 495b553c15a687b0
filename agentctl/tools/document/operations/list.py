"""The action `list`: pages of summaries that fit into the budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentctl.documents.budget import cut_list
from agentctl.domain.document import Document, DocumentFilter
from agentctl.domain.document_cursor import cursor_after, ranked_cursor, read_ranked
from agentctl.domain.ids import rfc3339
from agentctl.tools.document.config import PAGE_SIZE
from agentctl.tools.document.operations import Call
from agentctl.tools.document.reach import marks_of, reach_of


def list_documents(call: Call) -> dict[str, Any]:
    """`items, total, page, page_size, has_more`; a `hint` and a `cursor` where the list goes on."""
    arguments, config = call.arguments, call.config
    wanted = DocumentFilter(
        type=arguments.filter_type,
        query=arguments.q,
        reach=reach_of(config),
        page=arguments.page or 1,
        page_size=min(arguments.page_size or PAGE_SIZE, config.max_page_size),
        cursor=arguments.cursor,
    )
    page = (call.desk.search if arguments.q else call.desk.service.list)(call.context.user_id, wanted)
    cut = cut_list(page.items, config.token_budget)
    answer: dict[str, Any] = {
        "items": [_row(document, call.context.user_id) for document in cut.items],
        "total": page.total,
        "page": page.page,
        "page_size": page.page_size,
        "has_more": cut.is_cut or page.has_more,
    }
    notes = []
    if arguments.page_size and arguments.page_size > config.max_page_size:
        notes.append(f"page_size is at most {config.max_page_size}")
    if answer["has_more"]:
        cursor = answer["cursor"] = _find_cursor(wanted, cut.items)
        notes.append(f'more with the same arguments and cursor="{cursor}"')
    return {**answer, "hint": "; ".join(notes)} if notes else answer


def _find_cursor(wanted: DocumentFilter, shown: Sequence[Document]) -> str:
    """Where the list goes on: behind the last document that was shown."""
    if wanted.query is None:
        return cursor_after(shown[-1], wanted.sort)
    first = read_ranked(wanted.cursor)
    before = (wanted.page - 1) * (wanted.page_size or 0) if first is None else first
    return ranked_cursor(before + len(shown))


def _row(document: Document, user_id: int | None) -> dict[str, Any]:
    return {
        "id": document.id,
        "title": document.title,
        "summary": document.summary,
        "type": document.type,
        "tags": list(document.tags),
        "updated_at": rfc3339(document.updated_at),
        **marks_of(document, user_id),
    }
