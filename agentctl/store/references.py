"""Finds one row by what a person typed: an id, or a unique part of its beginning or end."""

from __future__ import annotations

import sqlite3

from agentctl.errors import NotFound, UsageError
from agentctl.store.connection import Database

SHORTEST = 4
# What approves, denies or deletes wants to be sure.
SHORTEST_TO_DECIDE = 8


def find_row(
    database: Database,
    table: str,
    noun: str,
    user_id: int,
    given: str,
    *,
    listing: str | None = None,
    shortest: int = SHORTEST,
) -> sqlite3.Row:
    """The user's row of `table` with this id, or with this part (at least `shortest` characters) of one.

    `listing` is the command that shows them, where that is not `NOUNs list`.

    Raises NotFound for none, UsageError for several.
    """
    mine = f"SELECT * FROM {table} WHERE user_id = ?"
    rows = database.execute(f"{mine} AND id = ?", (user_id, given)).fetchall()
    if not rows and len(given) >= shortest:
        length = len(given)
        rows = database.execute(
            f"{mine} AND (substr(id, 1, ?) = ? OR substr(id, -?) = ?) LIMIT 5",
            (user_id, length, given, length, given),
        ).fetchall()
    if not rows:
        few = f"Give the whole id, or at least {shortest} characters. " if len(given) < shortest else ""
        raise NotFound(f'no {noun} "{given}"', hint=f"{few}agentctl {listing or f'{noun}s list'} shows them.")
    if len(rows) > 1:
        raise UsageError(
            f'"{given}" means several {noun}s: {", ".join(row["id"] for row in rows[:4])}',
            hint="Give more of the id.",
        )
    row: sqlite3.Row = rows[0]
    return row
