"""The event stream of a run: the crash copy of what was said, and what a watcher reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentctl.domain.event import Event
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json


class Events:
    """Events of runs by sequence number."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, run_id: str, events: Iterable[Event]) -> None:
        """Append events."""
        self.database.executemany(
            "INSERT INTO agent_run_events (run_id, seq, ts, type, data) VALUES (?, ?, ?, ?, ?)",
            [(run_id, event.seq, event.ts, event.type, to_json(event.data)) for event in events],
        )

    def drop_deltas(self, run_id: str) -> None:
        """Remove the deltas of a message that has become one."""
        self.database.execute(
            "DELETE FROM agent_run_events WHERE run_id = ? AND type IN ('message.delta', 'reasoning.delta')",
            (run_id,),
        )

    def list(self, run_id: str, *, after: int = 0) -> Iterator[Event]:
        """The events of a run, in order, from the one after `after`."""
        rows = self.database.execute(
            "SELECT seq, ts, type, data FROM agent_run_events WHERE run_id = ? AND seq > ? ORDER BY seq",
            (run_id, after),
        )
        return (Event(row["type"], from_json(row["data"]), row["seq"], row["ts"]) for row in rows)
