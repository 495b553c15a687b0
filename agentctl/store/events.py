"""The event stream of a run: the crash copy of what was said, and what a watcher reads."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from agentctl.domain.event import Event, Span
from agentctl.domain.ids import clock_ms
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json

# Stands where deltas were that a message was made of.
FOLDED = "folded"
_DELTAS = "type IN ('message.delta', 'reasoning.delta')"


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

    def fold(self, run_id: str, spans: Iterable[Span]) -> None:
        """The deltas of a run have become a message: only their numbers stay."""
        self.database.execute(f"DELETE FROM agent_run_events WHERE run_id = ? AND {_DELTAS}", (run_id,))
        self.add(
            run_id,
            [
                Event(FOLDED, {"type": span.type, "first": span.first}, span.last, clock_ms())
                for span in spans
            ],
        )

    def deltas(self, run_id: str) -> Iterator[Event]:
        """The deltas that are no message yet."""
        rows = self.database.execute(
            f"SELECT * FROM agent_run_events WHERE run_id = ? AND {_DELTAS} ORDER BY seq", (run_id,)
        )
        return (_event(row) for row in rows)

    def last(self, run_id: str) -> int:
        """The number of the newest event of a run; 0 where there is none."""
        row = self.database.one("SELECT max(seq) FROM agent_run_events WHERE run_id = ?", (run_id,))
        return (row[0] or 0) if row else 0

    def list(self, run_id: str, *, after: int = 0) -> Iterator[Event]:
        """The events of a run, in order, from the one after `after`.

        Deltas that became a message come as one with the number of the last; where `after` lies among them,
        all of it comes again, and `replaces` is the number of the first that it stands for.
        """
        rows = self.database.execute(
            "SELECT * FROM agent_run_events WHERE run_id = ? AND seq > ? ORDER BY seq", (run_id, after)
        ).fetchall()
        folded: list[Event] = []
        for row in rows:
            event = _event(row)
            if event.type == FOLDED:
                folded.append(event)
                continue
            if event.type == "message" and folded:
                yield from (self._unfold(each, event, after) for each in folded)
                folded = []
            yield event

    def _unfold(self, folded: Event, message: Event, after: int) -> Event:
        kind = folded.data["type"]
        text = message.data["text"]
        if kind == "reasoning.delta":
            row = self.database.one(
                "SELECT json_extract(part.value, '$.text') FROM agent_messages m, json_each(m.parts) AS part"
                " WHERE m.id = ? AND json_extract(part.value, '$.type') = 'reasoning'",
                (message.data["message_id"],),
            )
            text = row[0] if row else ""
        first = folded.data["first"]
        return Event(
            kind, {"text": text, **({"replaces": first} if first <= after else {})}, folded.seq, folded.ts
        )


def _event(row: sqlite3.Row) -> Event:
    return Event(row["type"], from_json(row["data"]), row["seq"], row["ts"])
