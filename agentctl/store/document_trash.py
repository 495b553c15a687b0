"""Deleted documents: kept for a while, and then gone with all that belongs to them."""

from __future__ import annotations

from agentctl.domain.document import Document
from agentctl.store.connection import Database
from agentctl.store.document_access import deleted
from agentctl.store.documents import WHOLE, to_document


class DocumentTrash:
    """What a user deleted; the caller holds the transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def put(self, user_id: int, document_id: str, at: int) -> None:
        """Hide a document from every reader."""
        self.database.execute(
            "UPDATE agent_documents SET deleted_at = ? WHERE id = ? AND user_id = ?",
            (at, document_id, user_id),
        )

    def take_back(self, user_id: int, document_id: str) -> None:
        """Show a document again."""
        self.database.execute(
            "UPDATE agent_documents SET deleted_at = NULL WHERE id = ? AND user_id = ?",
            (document_id, user_id),
        )

    def get(self, user_id: int, document_id: str) -> Document | None:
        """A deleted document with its content."""
        row = self.database.one(
            f"{WHOLE} WHERE d.id = :id AND {deleted()}", {"id": document_id, "user": user_id}
        )
        return None if row is None else to_document(row, user_id)

    def before(self, user_id: int, at: int, limit: int) -> list[str]:
        """The ids of what the user deleted before this time, longest ago first."""
        rows = self.database.execute(
            f"SELECT d.id FROM agent_documents d WHERE {deleted()} AND d.deleted_at < :at"
            " ORDER BY d.deleted_at LIMIT :limit",
            {"user": user_id, "at": at, "limit": limit},
        )
        return [row["id"] for row in rows]

    def remove(self, user_id: int, document_id: str) -> None:
        """Remove row, versions, readers and bands for good."""
        self.database.execute(
            "DELETE FROM agent_documents WHERE id = ? AND user_id = ?", (document_id, user_id)
        )
