"""With whom a document is shared."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.domain.document import Visibility
from agentctl.store.connection import Database


class DocumentReaders:
    """Readers by document; the caller holds the transaction and has made sure whose document it is."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def users(self, names: Sequence[str]) -> dict[str, int]:
        """The ids of the users with these names; unknown names are left out."""
        rows = self.database.execute(
            f"SELECT name, id FROM users WHERE name IN ({', '.join('?' * len(names))})", tuple(names)
        )
        return {row["name"]: row["id"] for row in rows}

    def set(self, user_id: int, document_id: str, visibility: Visibility, readers: Sequence[int]) -> None:
        """Who may read the document from now on; `readers` only where it is shared."""
        self.database.execute(
            "UPDATE agent_documents SET visibility = ? WHERE id = ? AND user_id = ?",
            (visibility, document_id, user_id),
        )
        self.database.execute("DELETE FROM agent_document_readers WHERE document_id = ?", (document_id,))
        self.database.executemany(
            "INSERT INTO agent_document_readers (document_id, user_id) VALUES (?, ?)",
            [(document_id, reader) for reader in readers],
        )
