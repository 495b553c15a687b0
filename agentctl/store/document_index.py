"""The index that documents are searched by: their terms, and their runs of three characters."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from agentctl.domain.document_sheet import DocumentSheet
from agentctl.store.connection import Database

_SHEET = "i.no, i.document_id, i.user_id, i.version, i.head, i.body, i.chunks"
_FULL_TEXT = ("agent_document_words", "agent_document_trigrams")


class DocumentIndex:
    """Writes and checks the index; whoever writes holds the transaction.

    What changes or hides a document takes it out of the index by triggers, so that it never holds what a
    document no longer says.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def put(self, sheet: DocumentSheet) -> None:
        """Index a document anew; its row must hold what the sheet was made of."""
        self.drop([sheet.document_id])
        self.database.execute(
            "INSERT INTO agent_document_index (document_id, user_id, version, head, body, chunks)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                sheet.document_id,
                sheet.user_id,
                sheet.version,
                sheet.head,
                sheet.body,
                json.dumps(sheet.chunks, separators=(",", ":")),
            ),
        )

    def drop(self, ids: Iterable[str]) -> None:
        """Take documents out of the index, vectors aside."""
        self.database.executemany(
            "DELETE FROM agent_document_index WHERE document_id = ?", [(each,) for each in ids]
        )

    def outdate(self) -> None:
        """Let every document count as not indexed well, so that a rebuild begins from the start."""
        self.database.execute("UPDATE agent_document_index SET version = 0")

    def waiting(self, version: int, limit: int) -> list[tuple[str, int]]:
        """Ids and owners of documents whose sheet is missing or of another version, whoever owns them."""
        rows = self.database.execute(
            "SELECT d.id, d.user_id FROM agent_documents d WHERE d.deleted_at IS NULL AND NOT EXISTS"
            " (SELECT 1 FROM agent_document_index i WHERE i.document_id = d.id AND i.version = ?) LIMIT ?",
            (version, limit),
        )
        return [(row["id"], row["user_id"]) for row in rows]

    def count_waiting(self, version: int) -> tuple[int, int]:
        """How many documents are to be indexed anew, and how many there are."""
        row = self.database.one(
            "SELECT count(*) AS total, total(NOT EXISTS (SELECT 1 FROM agent_document_index i"
            " WHERE i.document_id = d.id AND i.version = ?)) AS waiting"
            " FROM agent_documents d WHERE d.deleted_at IS NULL",
            (version,),
        )
        return (int(row["waiting"]), row["total"]) if row else (0, 0)

    def sheets(self) -> Iterator[DocumentSheet]:
        """Every sheet, in the order of its number."""
        last = 0
        while True:
            rows = self.database.execute(
                f"SELECT {_SHEET} FROM agent_document_index i WHERE i.no > ? ORDER BY i.no LIMIT 100", (last,)
            ).fetchall()
            if not rows:
                return
            yield from map(to_sheet, rows)
            last = rows[-1]["no"]

    def strays(self) -> int:
        """How many sheets belong to no document that can be read."""
        row = self.database.one(
            "SELECT count(*) FROM agent_document_index i LEFT JOIN agent_documents d ON d.id = i.document_id"
            " WHERE d.id IS NULL OR d.deleted_at IS NOT NULL OR d.user_id <> i.user_id"
        )
        return row[0] if row else 0

    def unsound(self) -> Sequence[str]:
        """The full-text tables that do not hold what their sheets and documents say."""
        return [table for table in _FULL_TEXT if not self._is_sound(table)]

    def refill(self) -> None:
        """Fill the full-text tables from sheets and documents; nothing that was deleted stays in them."""
        for table in _FULL_TEXT:
            self.database.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")

    def compact(self) -> None:
        """Merge the full-text tables, so that no part of them still holds terms of what was deleted."""
        for table in _FULL_TEXT:
            self.database.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")

    def _is_sound(self, table: str) -> bool:
        try:
            # Rank 1: compare with the texts that were indexed, not only the index with itself.
            self.database.connection.execute(
                f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)"
            )
        except sqlite3.DatabaseError:
            return False
        return True


def to_sheet(row: sqlite3.Row) -> DocumentSheet:
    """A row of the index."""
    return DocumentSheet(
        row["document_id"],
        row["user_id"],
        row["head"],
        row["body"],
        json.loads(row["chunks"]),
        row["version"],
        row["no"],
    )
