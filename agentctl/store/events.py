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

    def deltas(self, run_id: str) -> Iterator[tuple[int, Event]]:
        """The deltas that are no message yet, each with the number of the first of those it was joined of."""
        rows = self.database.execute(
            "SELECT d.*, 1 + ifnull((SELECT max(e.seq) FROM agent_run_events e"
            " WHERE e.run_id = d.run_id AND e.seq < d.seq), 0) AS first"
            f" FROM agent_run_events d WHERE d.run_id = ? AND d.{_DELTAS} ORDER BY d.seq",
            (run_id,),
        )
        return ((row["first"], _event(row)) for row in rows)

    def last(self, run_id: str) -> int:
        """The number of the newest event of a run; 0 where there is none."""
        row = self.database.one("SELECT max(seq) FROM agent_run_events WHERE run_id = ?", (run_id,))
        return (row[0] or 0) if row else 0

    def newest(self, run_id: str, kind: str) -> Event | None:
        """The newest event of this type."""
        row = self.database.one(
            "SELECT * FROM agent_run_events WHERE run_id = ? AND type = ? ORDER BY seq DESC LIMIT 1",
            (run_id, kind),
        )
        return None if row is None else _event(row)

    def list(self, run_id: str, *, after: int = 0, drafts: bool = True) -> Iterator[Event]:
        """The events of a run, in order, from the one after `after`.

        Deltas that became a message come as one with the number of the last; where `after` lies among them,
        all of it comes again, and `replaces` is the number of the first that it stands for. Without `drafts`
        the words of a message come only when it is whole.
        """
        words = "" if drafts else " AND type <> 'message.delta'"
        rows = self.database.execute(
            f"SELECT * FROM agent_run_events WHERE run_id = ? AND seq > ?{words} ORDER BY seq",
            (run_id, after),
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
