"""The audit of decisions about tool calls: append-only, each entry carrying the hash of the one before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.domain.audit import NOTHING, AuditEntry, chain
from agentctl.domain.ids import clock_ms
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json


class Audit:
    """Entries by number; the caller of `add` holds the transaction of what is written down."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, event: str, user: str, os_user: str, data: Mapping[str, Any]) -> None:
        """Append an entry."""
        last = self.database.one("SELECT seq, hash FROM approval_audit ORDER BY seq DESC LIMIT 1")
        seq, previous = (last["seq"] + 1, last["hash"]) if last else (1, NOTHING)
        now, text = clock_ms(), to_json(data)
        entry = chain(previous, seq, now, user, os_user, event, text)
        self.database.execute(
            "INSERT INTO approval_audit VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (seq, now, user, os_user, event, text, previous, entry),
        )

    def entries(self, user: str, *, since: int = 0, limit: int = -1, offset: int = 0) -> Iterator[AuditEntry]:
        """The entries of a user from a time (ms) on, oldest first."""
        rows = self.database.execute(
            "SELECT * FROM approval_audit WHERE user = ? AND ts >= ? ORDER BY seq LIMIT ? OFFSET ?",
            (user, since, limit, offset),
        )
        return (
            AuditEntry(
                row["seq"],
                row["ts"],
                row["user"],
                row["os_user"],
                row["event"],
                from_json(row["data"]),
                row["previous"],
                row["hash"],
            )
            for row in rows
        )

    def verify(self, head: str | None = None) -> tuple[list[str], int, str]:
        """What is wrong with the chain, a line each; how many entries there are, and the hash of the last.

        `head` is the hash of what once was the last entry: where no entry has it, the end was cut off.
        """
        faults = []
        number, previous, is_known = 0, NOTHING, head in (None, NOTHING)
        for row in self.database.execute("SELECT * FROM approval_audit ORDER BY seq"):
            if row["seq"] != number + 1:
                faults.append(_missing(number + 1, row["seq"] - 1))
            elif row["previous"] != previous:
                faults.append(f"entry {row['seq']} does not follow the one before it")
            exact = chain(
                row["previous"], row["seq"], row["ts"], row["user"], row["os_user"], row["event"], row["data"]
            )
            if exact != row["hash"]:
                faults.append(f"entry {row['seq']} was changed")
            number, previous = row["seq"], row["hash"]
            is_known = is_known or previous == head
        if not is_known:
            faults.append(f"no entry has the hash {head}: the end was cut off or written anew")
        return faults, number, previous


def _missing(first: int, last: int) -> str:
    return f"entry {first} is missing" if first == last else f"the entries {first} to {last} are missing"
