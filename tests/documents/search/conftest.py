"""A service whose documents are really indexed, and searches by title."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agentctl.documents.search.engine import search
from agentctl.documents.search.index import SearchIndex
from agentctl.documents.service import DocumentService
from agentctl.domain.document import DocumentFilter
from agentctl.domain.document_hit import Hit
from agentctl.store import Store

Find = Callable[..., list[Hit]]
Titles = Callable[..., list[str]]


@pytest.fixture
def index(store: Store) -> SearchIndex:
    return SearchIndex(store)


@pytest.fixture
def service(store: Store, index: SearchIndex) -> DocumentService:
    return DocumentService(store, index)


@pytest.fixture
def find(store: Store, ann: int) -> Find:
    """What ann finds: `find("words", type="memory")`."""

    def call(
        query: str, *, viewer: int = ann, limit: int = 10, explain: bool = False, **wanted: object
    ) -> list[Hit]:
        page = search(store, viewer, query, DocumentFilter(**wanted), limit=limit, explain=explain)
        return list(page.hits)

    return call


@pytest.fixture
def titles(find: Find) -> Titles:
    """The titles of what ann finds, best first."""
    return lambda query, **wanted: [hit.document.title for hit in find(query, **wanted)]
