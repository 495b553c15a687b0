"""Finds the passages of a user's own documents that fit a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agentctl.documents.context import Passage
from agentctl.documents.search.engine import search
from agentctl.documents.service import DocumentService
from agentctl.domain.document_hit import Hit
from agentctl.errors import NotFound
from agentctl.store import Store

# The further down, the less it has to do with the question.
_MOST = 20


def passages_of(store: Store, service: DocumentService, user_id: int) -> Callable[[str], Iterator[Passage]]:
    """What `build_context` searches with: own documents only, archived ones aside, best first."""

    def find(query: str) -> Iterator[Passage]:
        for hit in search(store, user_id, query, limit=_MOST).hits:
            yield from _passage(service, user_id, hit)

    return find


def _passage(service: DocumentService, user_id: int, hit: Hit) -> Iterator[Passage]:
    try:
        document = service.read(user_id, hit.document.id)
    except NotFound:
        # Deleted since it was found.
        return
    text = document.text
    start, end = (hit.chunk.start, hit.chunk.end) if hit.chunk else (0, len(text))
    yield Passage(document, start, end, text[start:end])
