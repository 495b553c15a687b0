"""The documents of users: one service for tools and commands, with the index that searches them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from agentctl.documents.faults import InvalidDocument
from agentctl.documents.service import DocumentService
from agentctl.domain.document import Document, DocumentFilter, Page
from agentctl.domain.document_cursor import ranked_cursor, read_ranked
from agentctl.domain.document_limits import PAGE_SIZE
from agentctl.store import Store
from agentctl.tools.document.desk import Desk

if TYPE_CHECKING:
    from agentctl.documents.search.index import SearchIndex


class WritersIndex:
    """The search index, loaded with the first write: to read documents none of it is needed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @cached_property
    def _index(self) -> SearchIndex:
        from agentctl.documents.search.index import SearchIndex

        return SearchIndex(self._store)

    def put(self, document: Document) -> None:
        """Find this document by what it says now."""
        self._index.put(document)

    def drop(self, ids: Sequence[str]) -> None:
        """Find these documents no more."""
        self._index.drop(ids)


class Documents:
    """Reads, writes and searches documents."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @cached_property
    def service(self) -> DocumentService:
        """What every command and tool goes through."""
        return DocumentService(self._store, WritersIndex(self._store))

    def search(self, user_id: int | None, wanted: DocumentFilter) -> Page:
        """A page of what `wanted.query` finds, best first; its cursor is one of a ranked list.

        Raises InvalidDocument for another cursor.
        """
        from agentctl.documents.search.engine import search

        size = wanted.page_size or PAGE_SIZE
        offset = (wanted.page - 1) * size
        if wanted.cursor is not None:
            seen = read_ranked(wanted.cursor)
            if seen is None:
                raise InvalidDocument("the cursor is not one of this list", hint="Start again without it.")
            offset = seen
        query = wanted.query or ""
        found = search(self._store, user_id, query, wanted, limit=size, offset=offset, count=True)
        items = tuple(hit.document for hit in found.hits)
        cursor = ranked_cursor(offset + len(items)) if found.has_more else None
        return Page(items, found.total or 0, wanted.page, size, found.has_more, cursor)

    def desk(self) -> Desk:
        """What tools get."""
        return Desk(self.service, self.search)
