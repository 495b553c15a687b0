"""Standing permissions for runs that nobody watches; the caller holds the transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from agentctl.domain.grant import Grant
from agentctl.domain.ids import clock_ms
from agentctl.errors import Busy
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.references import SHORTEST_TO_DECIDE, find_row

_USABLE = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) AND ifnull(uses_left, 1) > 0"


class Grants:
    """Grants of one user."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, grant: Grant) -> None:
        """Store a new grant."""
        self.database.execute(
            "INSERT INTO agent_grants (id, user_id, agent_slug, tool_slug, action, conditions, uses_left,"
            " reason, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                grant.id,
                grant.user_id,
                grant.agent,
                grant.tool,
                grant.action,
                to_json(grant.conditions),
                grant.uses_left,
                grant.reason,
                grant.created_at,
                grant.expires_at,
            ),
        )

    def usable(self, user_id: int, agent: str, tool: str) -> list[Grant]:
        """The grants for calls of a tool by an agent that can be used now, oldest first."""
        rows = self.database.execute(
            "SELECT * FROM agent_grants WHERE user_id = ? AND agent_slug = ? AND tool_slug = ?"
            f" AND {_USABLE} ORDER BY created_at, id",
            (user_id, agent, tool, clock_ms()),
        )
        return [_grant(row) for row in rows]

    def use(self, grant_id: str) -> None:
        """Count one use. Raises Busy where none is left."""
        used = self.database.execute(
            f"UPDATE agent_grants SET uses_left = uses_left - 1 WHERE id = ? AND {_USABLE}",
            (grant_id, clock_ms()),
        )
        if not used.rowcount:
            raise Busy(f"grant {grant_id} is used up, revoked or expired")

    def search(
        self, user_id: int, *, everything: bool = False, limit: int = -1, offset: int = 0
    ) -> Iterator[Grant]:
        """The user's grants, newest first; those that cannot be used any more with `everything`."""
        rows = self.database.execute(
            f"SELECT * FROM agent_grants WHERE user_id = ? AND (? OR ({_USABLE}))"
            " ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
            (user_id, everything, clock_ms(), limit, offset),
        )
        return (_grant(row) for row in rows)

    def find(self, user_id: int, given: str) -> Grant:
        """The grant with this id, or this part (8 characters or more) of one. Raises NotFound, UsageError."""
        return _grant(
            find_row(
                self.database,
                "agent_grants",
                "grant",
                user_id,
                given,
                listing="approvals grants",
                shortest=SHORTEST_TO_DECIDE,
            )
        )

    def revoke(self, grant_id: str) -> None:
        """From now on it allows nothing."""
        self.database.execute(
            "UPDATE agent_grants SET revoked_at = ifnull(revoked_at, ?) WHERE id = ?", (clock_ms(), grant_id)
        )


def _grant(row: sqlite3.Row) -> Grant:
    return Grant(
        id=row["id"],
        user_id=row["user_id"],
        agent=row["agent_slug"],
        tool=row["tool_slug"],
        action=row["action"],
        conditions=from_json(row["conditions"]),
        uses_left=row["uses_left"],
        reason=row["reason"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
    )
