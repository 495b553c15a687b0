"""Requests to stop a run, left by one process for the one that works on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json


class Stops:
    """At most one request a run; whoever takes the run up again forgets it."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def request(self, run_id: str, by: Mapping[str, Any]) -> None:
        """Ask the holder to stop; `by` says who wants it (`user`, `os_user`, `pid`). The first one counts."""
        self.database.execute(
            "UPDATE agent_runs SET stop_requested = ifnull(stop_requested, ?)"
            " WHERE id = ? AND status = 'running'",
            (to_json(by), run_id),
        )

    def find(self, run_id: str) -> Mapping[str, Any] | None:
        """Who asked the run to stop; None where nobody did."""
        row = self.database.one("SELECT stop_requested FROM agent_runs WHERE id = ?", (run_id,))
        found: Mapping[str, Any] | None = from_json(row[0]) if row else None
        return found
