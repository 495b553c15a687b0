"""The documents of users: one service for tools and commands, with the index that searches them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from agentctl.documents.service import DocumentService
from agentctl.domain.document import Document, DocumentFilter, Page
from agentctl.store import Store
from agentctl.tools.document.desk import Desk


class NoIndex:
    """Stands in as long as nothing searches documents but SQL itself."""

    def put(self, document: Document) -> None:
        """Nothing has to be noted."""

    def drop(self, ids: Sequence[str]) -> None:
        """Nothing has to be forgotten."""


class Documents:
    """Reads, writes and searches documents."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @cached_property
    def service(self) -> DocumentService:
        """What every command and tool goes through."""
        return DocumentService(self._store, NoIndex())

    def search(self, user_id: int | None, wanted: DocumentFilter) -> Page:
        """A page of what `wanted.query` finds, best first."""
        return self.service.list(user_id, wanted)

    def desk(self) -> Desk:
        """What tools get."""
        return Desk(self.service, self.search)
