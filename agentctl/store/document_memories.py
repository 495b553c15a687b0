"""Finds memories that say the same as a new one, or nearly the same."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.domain.document import Document
from agentctl.store.connection import Database
from agentctl.store.document_access import readable
from agentctl.store.documents import WHOLE, to_document

# A memory that only its session knows, or that is archived, does not stand in for one of another session.
_SEEN = (
    f"{readable('own')} AND d.type = 'memory' AND d.archived = 0"
    " AND (d.tier <> 'session' OR :passing = 0 OR d.session_id IS :session)"
)


class Memories:
    """Memories of one user by what they say: by hash, and by bands of a sketch (`documents/likeness.py`)."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def same(self, document: Document) -> Document | None:
        """The oldest memory with the same content that a new `document` would only repeat."""
        row = self.database.one(
            f"{WHOLE} WHERE {_SEEN} AND d.hash = :hash ORDER BY d.created_at, d.id LIMIT 1",
            {**_about(document), "hash": document.hash},
        )
        return None if row is None else to_document(row, document.user_id)

    def sketch(self, document: Document, bands: Sequence[int]) -> None:
        """Store the bands of a memory instead of those it had; none for what is no memory."""
        self.database.execute("DELETE FROM agent_document_bands WHERE document_id = ?", (document.id,))
        self.database.executemany(
            "INSERT OR IGNORE INTO agent_document_bands (user_id, band, document_id) VALUES (?, ?, ?)",
            [(document.user_id, band, document.id) for band in bands],
        )

    def alike(self, document: Document, bands: Sequence[int], limit: int) -> list[Document]:
        """The memories that share most bands with a new `document`, with their contents."""
        marks = ", ".join(f":b{number}" for number in range(len(bands)))
        rows = self.database.execute(
            f"{WHOLE} JOIN (SELECT b.document_id AS near, count(*) AS shared FROM agent_document_bands b"
            f" WHERE b.user_id = :user AND b.band IN ({marks}) GROUP BY b.document_id"
            " ORDER BY shared DESC, near DESC LIMIT :limit) ON near = d.id"
            f" WHERE {_SEEN} ORDER BY shared DESC, d.id DESC",
            {**_about(document), "limit": limit, **{f"b{number}": band for number, band in enumerate(bands)}},
        )
        return [to_document(row, document.user_id) for row in rows]


def _about(document: Document) -> dict[str, object]:
    return {
        "user": document.user_id,
        "passing": int(document.tier == "session"),
        "session": document.session_id,
    }
