"""Applies that changed something: what the configuration was when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.ids import now_ms
from agentctl.store.connection import Database
from agentctl.store.json_columns import to_json


class Revisions:
    """A growing list; the highest number is the current revision."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, source: str, summary: Mapping[str, Any]) -> int:
        """Record an apply and return its number."""
        cursor = self.database.execute(
            "INSERT INTO apply_revisions (source, summary, created_at) VALUES (?, ?, ?)",
            (source, to_json(summary), now_ms()),
        )
        return cursor.lastrowid or 0

    def current(self) -> int:
        """The number of the last apply, 0 when nothing was ever applied."""
        row = self.database.one("SELECT ifnull(max(id), 0) AS revision FROM apply_revisions")
        return row["revision"] if row else 0

    def ever_created(self, *nouns: str) -> bool:
        """Whether some apply created a thing of these kinds (`agent`, `tool`), which may be gone since."""
        rows = self.database.execute(
            "SELECT DISTINCT substr(change.value, 8, instr(substr(change.value, 8), ' ') - 1) AS noun"
            " FROM apply_revisions, json_each(summary, '$.changes') AS change"
            " WHERE change.value LIKE 'create %'"
        )
        return any(row["noun"] in nouns for row in rows)
