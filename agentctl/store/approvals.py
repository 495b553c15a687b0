"""Questions about tool calls that wait for a person, and the answers; the caller holds the transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Literal

from agentctl.domain.approval import OPEN, Approval, ApprovalStatus
from agentctl.domain.ids import clock_ms
from agentctl.errors import Decided
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.references import SHORTEST_TO_DECIDE, find_row

_OPEN = f"status IN {OPEN}"
_WAITS = "(status = 'pending' AND expires_at > :now)"
# A state of which the column does not tell everything, for nobody marks a row when its time is over.
_CONDITIONS = {
    "pending": _WAITS,
    "approved": "status = 'approved' AND expires_at > :now",
    "expired": "status IN ('expired', 'pending', 'approved') AND (status = 'expired' OR expires_at <= :now)",
}


class Approvals:
    """Approvals by id, run and call."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def request(self, approval: Approval) -> None:
        """Store a new question."""
        self.database.execute(
            "INSERT INTO agent_approvals"
            " (id, kind, user_id, session_id, run_id, call_id, agent_slug, tool_slug, action, arguments,"
            " tool_revision, hash, why, created_at, expires_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                approval.id,
                approval.kind,
                approval.user_id,
                approval.session_id,
                approval.run_id,
                approval.call_id,
                approval.agent,
                approval.tool,
                approval.action,
                to_json(approval.arguments),
                approval.tool_revision,
                approval.hash,
                approval.why,
                approval.created_at,
                approval.expires_at,
            ),
        )

    def find(self, user_id: int, given: str) -> Approval:
        """The approval with this id, or this part (8 characters or more) of one.

        Raises NotFound for none, UsageError for several.
        """
        row = find_row(
            self.database, "agent_approvals", "approval", user_id, given, shortest=SHORTEST_TO_DECIDE
        )
        return _approval(row)

    def search(
        self, user_id: int, *, status: str | None, session_id: str | None, limit: int = -1, offset: int = 0
    ) -> Iterator[Approval]:
        """The user's approvals, newest first; without a status those that wait come before all others."""
        groups = (
            (_WAITS, f"NOT ({_WAITS})") if status is None else (_CONDITIONS.get(status, "status = :status"),)
        )
        # The plus keeps SQLite from reading all there ever was in this order, to find a few of three states.
        order = "+created_at" if status == "expired" else "created_at"
        where = "user_id = :user" + ("" if session_id is None else " AND session_id = :session")
        values = {"user": user_id, "session": session_id, "status": status, "now": clock_ms()}
        rows = (
            row
            for group in groups
            for row in self.database.execute(
                f"SELECT * FROM agent_approvals WHERE {where} AND {group} ORDER BY {order} DESC, id DESC",
                values,
            )
        )
        return map(_approval, islice(rows, offset, None if limit < 0 else offset + limit))

    def of_run(self, run_id: str) -> list[Approval]:
        """All questions of a run, oldest first."""
        rows = self.database.execute(
            "SELECT * FROM agent_approvals WHERE run_id = ? ORDER BY created_at, id", (run_id,)
        )
        return [_approval(row) for row in rows]

    def of_call(self, call_id: str) -> Approval | None:
        """The open question about a call."""
        row = self.database.one(f"SELECT * FROM agent_approvals WHERE call_id = ? AND {_OPEN}", (call_id,))
        return None if row is None else _approval(row)

    def decide(
        self,
        approval: Approval,
        status: ApprovalStatus,
        decided_by: Mapping[str, Any],
        *,
        reason: str | None = None,
    ) -> None:
        """Store a person's answer; `approval` holds the arguments and the hash that it is about.

        Raises Decided where the question is not open any more.
        """
        answered = self.database.execute(
            "UPDATE agent_approvals SET status = ?, decided_by = ?, reason = ?, arguments = ?, action = ?,"
            " tool_revision = ?, hash = ?, decided_at = ?"
            " WHERE id = ? AND status = 'pending' AND expires_at > ?",
            (
                status,
                to_json(decided_by),
                reason,
                to_json(approval.arguments),
                approval.action,
                approval.tool_revision,
                approval.hash,
                clock_ms(),
                approval.id,
                clock_ms(),
            ),
        )
        if not answered.rowcount:
            raise self._closed(approval.id)

    def consume(self, approval_id: str) -> None:
        """An answer is used, once. Raises Decided where there is none, or none any more."""
        used = self.database.execute(
            "UPDATE agent_approvals SET status = 'consumed' WHERE id = ?"
            " AND (status IN ('denied', 'ran', 'not_run') OR (status = 'approved' AND expires_at > ?))",
            (approval_id, clock_ms()),
        )
        if not used.rowcount:
            raise self._closed(approval_id)

    def withdraw(
        self, approval_id: str, reason: str, *, status: Literal["cancelled", "expired"] = "cancelled"
    ) -> None:
        """The call was decided in another way, or will not be."""
        self.database.execute(
            f"UPDATE agent_approvals SET status = ?, reason = ? WHERE id = ? AND {_OPEN}",
            (status, reason, approval_id),
        )

    def take_unannounced(self, run_id: str) -> list[Approval]:
        """The questions of a run that wait and of which nobody has been told; from now on somebody has."""
        rows = self.database.execute(
            f"UPDATE agent_approvals SET notified = 1 WHERE run_id = :run AND notified = 0 AND {_WAITS}"
            " RETURNING *",
            {"run": run_id, "now": clock_ms()},
        ).fetchall()
        return sorted(map(_approval, rows), key=lambda approval: (approval.created_at, approval.id))

    def cancel(self, run_id: str, reason: str) -> None:
        """The run does not go on: nothing of it waits any more."""
        self.database.execute(
            f"UPDATE agent_approvals SET status = 'cancelled', reason = ? WHERE run_id = ? AND {_OPEN}",
            (reason, run_id),
        )

    def expire(self, run_id: str) -> None:
        """Close the questions of a run whose time is over, answered with a yes or not at all."""
        self.database.execute(
            "UPDATE agent_approvals SET status = 'expired' WHERE run_id = ? AND expires_at <= ?"
            " AND status IN ('pending', 'approved')",
            (run_id, clock_ms()),
        )

    def stale(self, user_id: int, session_id: str | None) -> list[Approval]:
        """Open questions that nobody can answer any more: their time is over, or agent or tool is gone."""
        rows = self.database.execute(
            "SELECT * FROM agent_approvals p WHERE user_id = :user"
            f" AND (:session IS NULL OR session_id = :session) AND {_OPEN}"
            " AND ((expires_at <= :now AND status IN ('pending', 'approved'))"
            " OR NOT EXISTS (SELECT 1 FROM agents a WHERE a.slug = p.agent_slug)"
            " OR NOT EXISTS (SELECT 1 FROM agent_tools t WHERE t.slug = p.tool_slug))"
            # As above: few are open.
            " ORDER BY +created_at, id",
            {"user": user_id, "session": session_id, "now": clock_ms()},
        )
        return [_approval(row) for row in rows]

    def _closed(self, approval_id: str) -> Decided:
        row = self.database.one("SELECT * FROM agent_approvals WHERE id = ?", (approval_id,))
        status = _approval(row).status if row else "gone"
        words = {
            "pending": "is not answered yet",
            "consumed": "was answered and used already",
            "expired": "has expired",
            "cancelled": "is not needed any more",
            "gone": "is gone",
        }
        return Decided(
            f"approval {approval_id} {words.get(status, f'was answered already: {status}')}",
            hint="agentctl approvals list --status pending shows what waits.",
        )


def _approval(row: sqlite3.Row) -> Approval:
    is_over = row["status"] in ("pending", "approved") and row["expires_at"] <= clock_ms()
    return Approval(
        id=row["id"],
        kind=row["kind"],
        user_id=row["user_id"],
        session_id=row["session_id"],
        run_id=row["run_id"],
        call_id=row["call_id"],
        agent=row["agent_slug"],
        tool=row["tool_slug"],
        action=row["action"],
        arguments=from_json(row["arguments"]),
        tool_revision=row["tool_revision"],
        hash=row["hash"],
        why=row["why"],
        status="expired" if is_over else row["status"],
        decided_by=from_json(row["decided_by"]),
        decided_at=row["decided_at"],
        reason=row["reason"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
    )
