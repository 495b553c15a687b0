from __future__ import annotations

from collections.abc import Callable

import pytest

from agentctl.documents.search.engine import search
from agentctl.documents.search.index import SearchIndex
from agentctl.documents.service import DocumentService
from agentctl.domain.document import Document, DocumentChange
from agentctl.store import Store
from tests.documents.search.conftest import Titles

Make = Callable[..., Document]
SHADOWS = ("agent_document_words_data", "agent_document_trigrams_data")


def rows(store: Store, table: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in store.database.execute(f"SELECT * FROM {table}")]


def sheets(store: Store) -> list[tuple[object, ...]]:
    return sorted(row[1:] for row in rows(store, "agent_document_index"))


def ignore(done: int, total: int) -> None:
    """No progress is shown."""


@pytest.fixture
def busy(make: Make, service: DocumentService, ann: int) -> list[Document]:
    """Documents that were changed, deleted, taken back."""
    made = [
        make(f"word{number} 東京\n# Heading\nline", title=f"T{number}", tags="a,b") for number in range(6)
    ]
    service.update(ann, made[0].id, DocumentChange(content="changed words"))
    service.update(ann, made[1].id, DocumentChange(title="Changed"))
    service.update(ann, made[2].id, DocumentChange(tags="c"))
    service.trash.delete(ann, [made[3].id, made[4].id])
    service.trash.undelete(ann, made[4].id)
    service.trash.hard_delete(ann, [made[5].id])
    return made


def test_an_index_that_grew_with_its_documents_is_sound(index: SearchIndex, busy: list[Document]) -> None:
    assert index.check() == ()


def test_an_index_made_anew_holds_the_same(store: Store, index: SearchIndex, busy: list[Document]) -> None:
    grown = sheets(store)
    assert index.rebuild(ignore) == len(grown) == 4
    assert sheets(store) == grown
    assert index.check() == ()


def test_an_interrupted_rebuild_goes_on_where_it_was(store: Store, index: SearchIndex, make: Make) -> None:
    with store.transaction():
        for number in range(120):
            make(f"text {number}", title=f"T{number}")

    def stop(done: int, total: int) -> None:
        if done >= 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.rebuild(stop)
    assert index.check() == ("70 documents cannot be found by their words",)
    seen: list[tuple[int, int]] = []
    assert index.rebuild(lambda done, total: seen.append((done, total)), resume=True) == 70
    assert (seen[0], seen[-1]) == ((50, 120), (120, 120))
    assert index.check() == ()
    assert index.rebuild(ignore, resume=True) == 0


def test_nothing_of_a_deleted_document_is_left(
    store: Store, index: SearchIndex, make: Make, service: DocumentService, ann: int
) -> None:
    make("an ordinary note", title="Other")
    document = make("the zyzzyva stands here", title="Zyzzyva")
    service.trash.hard_delete(ann, [document.id])
    for query in ("zyzzyva", "zyzz", '"zyzzyva stands"'):
        assert search(store, ann, query).hits == ()
    assert not any("zyzzyva" in str(row) for row in rows(store, "agent_document_index"))
    index.compact()
    for table in SHADOWS:
        assert not any(b"zyz" in row[-1] for row in rows(store, table) if isinstance(row[-1], bytes))
    assert index.check() == ()


def test_a_user_who_is_gone_leaves_nothing_in_the_index(
    store: Store, index: SearchIndex, make: Make, ann: int
) -> None:
    make("some text", title="T")
    store.database.execute("DELETE FROM users WHERE id = ?", (ann,))
    assert rows(store, "agent_document_index") == []
    assert index.check() == ()


def test_a_document_changed_behind_the_index_is_not_found_by_what_it_said(
    store: Store, index: SearchIndex, make: Make, titles: Titles
) -> None:
    document = make("old words", title="T")
    store.database.execute("UPDATE agent_documents SET content = 'new' WHERE id = ?", (document.id,))
    assert titles("old words") == []
    assert index.check() == ("1 documents cannot be found by their words",)
    index.rebuild(ignore, resume=True)
    assert titles("new") == ["T"]


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("UPDATE agent_document_index SET body = ' other'", "agent_document_words does not hold"),
        ("INSERT INTO agent_document_trigrams (rowid, text) VALUES (99, 'stray')", "agent_document_trigrams"),
        ("UPDATE agent_document_index SET user_id = 99", "1 entries belong to no document"),
        ("UPDATE agent_document_index SET chunks = '[]'", "1 documents are found by words that they do not"),
    ],
)
def test_damage_is_seen_and_mended_by_a_rebuild(
    store: Store, index: SearchIndex, make: Make, titles: Titles, damage: str, fault: str
) -> None:
    make("some text", title="T")
    store.database.execute(damage)
    assert any(fault in each for each in index.check())
    index.rebuild(ignore)
    assert index.check() == ()
    assert titles("text") == ["T"]


def test_what_is_rolled_back_was_never_in_the_index(store: Store, index: SearchIndex, make: Make) -> None:
    class Stop(Exception): ...

    with pytest.raises(Stop), store.transaction():
        make("some text", title="T")
        raise Stop
    assert rows(store, "agent_document_index") == []
    assert index.check() == ()
