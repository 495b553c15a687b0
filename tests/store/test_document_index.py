"""The tables of the search index: what the triggers keep in step, and what they cost in space."""

from __future__ import annotations

import sqlite3

import pytest

from agentctl.domain.document_sheet import DocumentSheet
from agentctl.store import Store
from agentctl.store.document_index import DocumentIndex


@pytest.fixture
def rows(store: Store) -> DocumentIndex:
    """An index with one document, `ad_1`."""
    user = store.users.ensure("ann").id
    store.database.execute(
        "INSERT INTO agent_documents (id, user_id, type, hash, content_chars, created_at, updated_at, title,"
        " content) VALUES ('ad_1', ?, 'memory', '', 9, 1, 1, 'Title', 'some text')",
        (user,),
    )
    index = DocumentIndex(store.database)
    index.put(DocumentSheet("ad_1", user, " titl", " some text", [[0, 1]], 1))
    return index


def matches(store: Store, table: str, match: str) -> int:
    found = store.database.one(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (match,))
    assert found is not None
    return int(found[0])


def test_terms_carry_the_number_of_their_owner(store: Store, rows: DocumentIndex) -> None:
    assert matches(store, "agent_document_words", '"1.text"') == 1
    assert matches(store, "agent_document_words", '"1^titl"') == 1
    assert matches(store, "agent_document_words", '"2.text" OR text') == 0
    assert matches(store, "agent_document_trigrams", '"ext"') == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE agent_documents SET content = 'other'",
        "UPDATE agent_documents SET title = 'other'",
        "UPDATE agent_documents SET deleted_at = 5",
        "DELETE FROM agent_documents",
        "DELETE FROM users",
    ],
)
def test_what_a_document_says_no_more_leaves_the_index(
    store: Store, rows: DocumentIndex, change: str
) -> None:
    store.database.execute(change)
    assert matches(store, "agent_document_words", '"1.text" OR "1.titl" OR "1^titl"') == 0
    assert matches(store, "agent_document_trigrams", '"ext" OR "Tit"') == 0
    assert list(rows.unsound()) == []
    assert rows.strays() == 0


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE agent_documents SET tier = 'pinned', archived = 1",
        "UPDATE agent_documents SET title = 'Title', content = 'some text', rev = 2",
    ],
)
def test_a_change_of_other_things_leaves_the_index_as_it_is(
    store: Store, rows: DocumentIndex, change: str
) -> None:
    store.database.execute(change)
    assert matches(store, "agent_document_words", '"1.text"') == 1


def test_documents_without_a_sheet_of_this_version_wait(store: Store, rows: DocumentIndex) -> None:
    assert rows.count_waiting(1) == (0, 1)
    assert rows.count_waiting(2) == (1, 1)
    assert rows.waiting(2, 10) == [("ad_1", 1)]
    rows.outdate()
    assert rows.count_waiting(1) == (1, 1)


def test_the_full_text_tables_keep_no_text_of_their_own(store: Store, rows: DocumentIndex) -> None:
    tables = {row["name"] for row in store.database.execute("SELECT name FROM sqlite_master")}
    assert not {"agent_document_words_content", "agent_document_trigrams_content"} & tables
    with pytest.raises(sqlite3.OperationalError):
        store.database.connection.execute("SELECT * FROM agent_document_trigrams_docsize")
