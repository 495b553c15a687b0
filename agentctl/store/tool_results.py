"""Results of tools that are kept for a while, for all processes."""

from __future__ import annotations

from typing import Any

from agentctl.domain.ids import clock_ms
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json

MOST = 500
LONGEST = 1_000_000


class ToolResults:
    """JSON data by key: at most MOST of them, the newest, none longer than LONGEST characters."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(self, key: str) -> Any:
        """`{"data": ...}` as it was kept under this key; None where there is none, or no longer."""
        row = self.database.one(
            "SELECT data FROM agent_tool_results WHERE key = ? AND expires_at > ?", (key, clock_ms())
        )
        return None if row is None else {"data": from_json(row["data"])}

    def keep(self, key: str, data: Any, seconds: float) -> None:
        """Keep JSON data for so long; what is too long is not kept."""
        text = to_json(data)
        if len(text) > LONGEST:
            return
        now = clock_ms()
        with self.database.transaction():
            self.database.execute(
                "INSERT OR REPLACE INTO agent_tool_results VALUES (?, ?, ?, ?)",
                (key, text, now, now + round(min(seconds, 1e9) * 1000)),
            )
            self.database.execute(
                "DELETE FROM agent_tool_results WHERE expires_at <= ? OR key IN"
                " (SELECT key FROM agent_tool_results ORDER BY created_at DESC, key LIMIT -1 OFFSET ?)",
                (now, MOST),
            )
