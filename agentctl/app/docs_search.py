"""Searches the documents of this user, and shows what an agent would be reminded of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentctl.app.docs_user import UserDocs
from agentctl.documents.context import Context, build_context
from agentctl.documents.passages import passages_of
from agentctl.documents.recollection import word_context
from agentctl.documents.search.engine import search
from agentctl.documents.search.index import SearchIndex
from agentctl.domain.document import DocumentFilter
from agentctl.domain.document_hit import Hit, SearchPage
from agentctl.domain.ids import rfc3339
from agentctl.store import Store

HIT_COLUMNS = ("id", "type", "title", "created_at", "match")
PIECE_COLUMNS = ("id", "title", "created_at", "why", "shown", "tokens")


class DocsSearch:
    """Finds by words, and by what a question is about."""

    def __init__(self, store: Store, docs: UserDocs) -> None:
        self._store = store
        self._docs = docs

    def find(self, query: str, wanted: DocumentFilter, limit: int, *, explain: bool) -> SearchPage:
        """What fits the query, best first; nothing that can be typed is an error."""
        return search(self._store, self._docs.user_id, query, wanted, limit=limit, explain=explain)

    def rebuild(self, progress: Callable[[int, int, str], None], *, resume: bool) -> int:
        """Index all documents of all users anew; returns how many were done."""
        return SearchIndex(self._store).rebuild(
            lambda done, total: progress(done, total, "indexed"), resume=resume
        )

    def recall(self, query: str, budget: int) -> Context:
        """What would be put before a model for this question."""
        service, user_id = self._docs.service, self._docs.user_id
        find = passages_of(self._store, service, user_id)
        return build_context(service.pinned(user_id), find, query, budget)


def hit_row(hit: Hit) -> dict[str, Any]:
    """A hit; in `match` the found words stand in brackets, `marks` are their places in `snippet`."""
    document = hit.document
    ranks = [{"list": each.name, "rank": each.rank, "score": each.score} for each in hit.ranks]
    return {
        "id": document.id,
        "type": document.type,
        "title": document.title,
        "created_at": rfc3339(document.created_at),
        "match": _mark(hit),
        "snippet": hit.snippet,
        "marks": [list(mark) for mark in hit.marks],
        "headings": list(hit.chunk.headings) if hit.chunk else [],
        "tags": list(document.tags),
        "owner": document.owner,
        "score": hit.score,
        "why": ", ".join(f"{each.name} {each.rank}" for each in hit.ranks),
        "ranks": ranks,
    }


def context_object(context: Context) -> dict[str, Any]:
    """A context as one object: the text that a model would read, and what it is made of."""
    rows = context_rows(context)
    return {
        "budget": context.budget,
        "tokens": context.tokens,
        "pieces": [{**row, "text": piece.text} for row, piece in zip(rows, context.pieces, strict=False)],
        "left_out": rows[len(context.pieces) :],
        "text": word_context(context),
    }


def context_rows(context: Context) -> list[dict[str, Any]]:
    """A row for each piece, and one for each document that was left out whole or in part."""
    rows = [
        {**_about(piece), "shown": "in part" if piece.is_cut else "yes", "tokens": piece.tokens}
        for piece in context.pieces
    ]
    return rows + [{**_about(each), "shown": "no", "tokens": each.tokens} for each in context.left_out]


def _about(part: Any) -> dict[str, Any]:
    document = part.document
    return {
        "id": document.id,
        "title": document.title,
        "created_at": rfc3339(document.created_at),
        "why": part.why,
    }


def _mark(hit: Hit) -> str:
    text = hit.snippet
    for start, end in reversed(hit.marks):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text
