"""Finds the document that a file was imported into."""

from __future__ import annotations

from agentctl.domain.document import Document
from agentctl.store.connection import Database
from agentctl.store.document_access import readable
from agentctl.store.documents import WHOLE, to_document


def find_imported(database: Database, user_id: int, source_path: str, content_hash: str) -> Document | None:
    """The user's document from this file; of several the one with this content, else the newest."""
    row = database.one(
        f"{WHOLE} WHERE {readable('own')} AND d.source_path = :path"
        " ORDER BY d.hash = :hash DESC, d.updated_at DESC, d.id DESC LIMIT 1",
        {"user": user_id, "path": source_path, "hash": content_hash},
    )
    return None if row is None else to_document(row, user_id)
