"""What chunks of documents mean, as vectors of one model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agentctl.store.connection import Database
from agentctl.store.document_scope import DocumentScope


class StoredVector(NamedTuple):
    """A vector of one chunk: its signs as bits, and its numbers as the caller packs them."""

    ordinal: int
    signs: bytes
    vector: bytes


class DocumentVectors:
    """Vectors by document and chunk; whoever writes holds the transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def put(self, document_id: str, model: str, dimension: int, vectors: Iterable[StoredVector]) -> None:
        """Store the vectors of a document, instead of any that were there."""
        self.database.execute("DELETE FROM agent_document_vectors WHERE document_id = ?", (document_id,))
        self.database.executemany(
            "INSERT INTO agent_document_vectors (document_id, ordinal, model, dimension, signs, vector)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [(document_id, each.ordinal, model, dimension, each.signs, each.vector) for each in vectors],
        )

    def waiting(self, model: str, after: str, limit: int) -> list[tuple[str, int, int]]:
        """Ids, owners and revisions of documents without vectors of this model, ids behind `after`."""
        rows = self.database.execute(
            "SELECT d.id, d.user_id, d.rev FROM agent_documents d WHERE d.id > ? AND d.deleted_at IS NULL"
            " AND NOT EXISTS (SELECT 1 FROM agent_document_vectors v WHERE v.document_id = d.id"
            " AND v.model = ?) ORDER BY d.id LIMIT ?",
            (after, model, limit),
        )
        return [(row["id"], row["user_id"], row["rev"]) for row in rows]

    def count_waiting(self, model: str) -> tuple[int, int]:
        """How many documents have no vectors of this model, and how many documents there are."""
        row = self.database.one(
            "SELECT count(*) AS total, total(NOT EXISTS (SELECT 1 FROM agent_document_vectors v"
            " WHERE v.document_id = d.id AND v.model = ?)) AS waiting"
            " FROM agent_documents d WHERE d.deleted_at IS NULL",
            (model,),
        )
        return (int(row["waiting"]), row["total"]) if row else (0, 0)

    def signs(self, scope: DocumentScope, model: str, dimension: int) -> list[tuple[str, int, bytes]]:
        """Document, chunk and signs of every vector of the scope that can be compared."""
        where, values = scope.condition
        rows = self.database.execute(
            "SELECT v.document_id, v.ordinal, v.signs FROM agent_documents d"
            " CROSS JOIN agent_document_index i ON i.document_id = d.id"
            " CROSS JOIN agent_document_vectors v ON v.document_id = d.id"
            f" WHERE {where} AND v.model = :model AND v.dimension = :dimension",
            {**values, "model": model, "dimension": dimension},
        )
        return [tuple(row) for row in rows]

    def vectors(self, places: Sequence[tuple[str, int]]) -> list[bytes]:
        """The vectors of these chunks, in their order."""
        wanted = "SELECT vector FROM agent_document_vectors WHERE document_id = ? AND ordinal = ?"
        rows = (self.database.one(wanted, place) for place in places)
        return [row["vector"] if row else b"" for row in rows]
