"""No list of the search shows anybody what he may not read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agentctl.documents.search.engine import search
from agentctl.documents.service import DocumentService
from agentctl.domain.document import Document, DocumentFilter, NewDocument
from agentctl.store import Store

QUERIES = [
    "secret",
    '"secret plan"',
    "ecre",
    "plan",
    "the",
    "tag:hidden",
    "secret -nothing",
    "%",
    "计划",
    "秘",
    "🎉",
]


@pytest.fixture
def secret(make: Callable[..., Document]) -> Document:
    """A document of ann's."""
    return make("the secret plan 秘密计划 🎉 50%", title="Secret", tags="hidden")


@pytest.mark.parametrize("reach", ["own", "shared", "public"])
@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("padding", [0, 70])
def test_another_user_finds_nothing(
    store: Store, service: DocumentService, secret: Document, bob: int, query: str, reach: str, padding: int
) -> None:
    with store.transaction():
        for number in range(padding):
            service.create(bob, NewDocument(f"B{number}", f"something {number}"))
    page = search(store, bob, query, DocumentFilter(reach=reach), count=True)  # type: ignore[arg-type]
    assert (page.hits, page.total) == ((), 0)


def test_a_shared_document_is_found_by_its_reader_alone_and_only_as_long(
    store: Store, service: DocumentService, secret: Document, ann: int, bob: int
) -> None:
    eve = store.users.ensure("eve").id
    service.sharing.set(ann, secret.id, "shared", ("bob",))
    wanted = DocumentFilter(reach="public")
    assert [len(search(store, each, "secret", wanted).hits) for each in (ann, bob, eve)] == [1, 1, 0]
    assert search(store, bob, "secret").hits == ()
    service.sharing.set(ann, secret.id, "private")
    assert search(store, bob, "secret", DocumentFilter(reach="public")).hits == ()


def test_scores_tell_nothing_of_what_others_wrote(
    store: Store, service: DocumentService, make: Callable[..., Document], ann: int, bob: int
) -> None:
    with store.transaction():
        for number in range(70):
            make(f"note {number} about lamps", title=f"N{number}")
    make("a rare lamp", title="Rare")
    before = [hit.score for hit in search(store, ann, "rare lamps").hits]
    service.create(bob, NewDocument("Rare", "rare rare rare lamps"))
    assert [hit.score for hit in search(store, ann, "rare lamps").hits] == before
