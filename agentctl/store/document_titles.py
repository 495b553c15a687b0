"""Memories by their titles, which paths are made of."""

from __future__ import annotations

from agentctl.domain.document import Document
from agentctl.store.connection import Database
from agentctl.store.document_access import readable
from agentctl.store.documents import ROWS, to_document

_MEMORIES = f"{ROWS} WHERE {readable('own')} AND d.type = 'memory' AND d.archived = 0"


def find_titled(database: Database, user_id: int, title: str) -> Document | None:
    """The user's memory with this very title, without content; the oldest where several have it."""
    row = database.one(
        f"{_MEMORIES} AND d.title = :title ORDER BY d.created_at, d.id LIMIT 1",
        {"user": user_id, "title": title},
    )
    return to_document(row, user_id) if row else None


def list_titled(database: Database, user_id: int, start: str, most: int) -> list[Document]:
    """The user's memories whose titles begin with `start`, without contents, by title and then age."""
    # Every title that begins with it stands before the last character there is.
    rows = database.execute(
        f"{_MEMORIES} AND d.title >= :start AND d.title < :start || char(1114111)"
        " ORDER BY d.title, d.created_at, d.id LIMIT :most",
        {"user": user_id, "start": start, "most": most},
    )
    return [to_document(row, user_id) for row in rows]
