"""What documents said before they were changed."""

from __future__ import annotations

import sqlite3

from agentctl.domain.document import Document, DocumentVersion
from agentctl.store.connection import Database
from agentctl.store.document_access import readable
from agentctl.store.documents import join_tags, split_tags

_COLUMNS = "v.document_id, v.rev, v.type, v.hash, v.content_chars, v.untrusted, v.created_at, v.title, v.tags"
_SELECT = (
    "FROM agent_document_versions v JOIN agent_documents d ON d.id = v.document_id"
    f" WHERE v.document_id = :id AND {readable('own')}"
)


class DocumentVersions:
    """Versions by document and revision; only the owner sees them."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def keep(self, document: Document) -> None:
        """Store what the document says, before it is changed."""
        self.database.execute(
            "INSERT INTO agent_document_versions (document_id, rev, type, hash, content_chars, untrusted,"
            " created_at, title, tags, summary, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                document.id,
                document.rev,
                document.type,
                document.hash,
                document.content_chars,
                document.untrusted,
                document.updated_at,
                document.title,
                join_tags(document.tags),
                document.summary,
                document.text,
            ),
        )

    def list(self, user_id: int, document_id: str) -> list[DocumentVersion]:
        """The earlier versions without their contents, newest first."""
        rows = self.database.execute(
            f"SELECT {_COLUMNS}, v.summary, NULL AS content {_SELECT} ORDER BY v.rev DESC",
            {"id": document_id, "user": user_id},
        )
        return [_version(row) for row in rows]

    def get(self, user_id: int, document_id: str, rev: int) -> DocumentVersion | None:
        """One earlier version with its content."""
        row = self.database.one(
            f"SELECT {_COLUMNS}, v.summary, v.content {_SELECT} AND v.rev = :rev",
            {"id": document_id, "user": user_id, "rev": rev},
        )
        return None if row is None else _version(row)


def _version(row: sqlite3.Row) -> DocumentVersion:
    return DocumentVersion(
        document_id=row["document_id"],
        rev=row["rev"],
        type=row["type"],
        title=row["title"],
        summary=row["summary"] or "",
        tags=split_tags(row["tags"]),
        hash=row["hash"],
        content_chars=row["content_chars"],
        untrusted=bool(row["untrusted"]),
        created_at=row["created_at"],
        content=row["content"],
    )
