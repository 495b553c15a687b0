"""What SQLite says about the state of its file."""

from __future__ import annotations

import sqlite3

from agentctl.store.connection import Database


def find_damage(database: Database) -> list[str]:
    """What is broken in the file, [] for a sound one; reads all of it. Raises our errors."""
    try:
        rows = [str(row[0]) for row in database.execute("PRAGMA quick_check(5)")]
        orphans = database.execute("PRAGMA foreign_key_check").fetchmany(5)
    except sqlite3.DatabaseError as error:
        # So damaged that even the check breaks off.
        return [str(error)]
    rows += [f"a row of {row[0]} points to a missing row of {row[2]}" for row in orphans]
    return [row for row in rows if row != "ok"]


def journal_mode(database: Database) -> str:
    """`wal` as we make it, else what somebody set."""
    row = database.one("PRAGMA journal_mode")
    return str(row[0]) if row else ""
