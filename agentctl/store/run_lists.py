"""Runs of one user as they are listed, and those of them that go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from agentctl.domain.run import Run
from agentctl.domain.states import RunStatus
from agentctl.store.connection import Database
from agentctl.store.json_columns import to_json
from agentctl.store.runs import read_run

# Said as the index of live runs says it, so that it is used; the plus keeps SQLite off that of all runs.
_LIVE = "status IN ('queued', 'running', 'awaiting_approval')"
_PROMPT = (
    "(SELECT substr(json_extract(m.parts, '$[0].text'), 1, 200) FROM agent_messages m"
    " WHERE m.run_id = r.id AND m.role = 'user' ORDER BY m.seq LIMIT 1)"
)


class RunLists:
    """Runs, newest first; those that were copied with their session are left out."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def live(self, user_id: int) -> list[Run]:
        """The runs of a user that have not ended."""
        rows = self.database.execute(
            f"SELECT * FROM agent_runs WHERE +user_id = ? AND {_LIVE} ORDER BY created_at DESC, id DESC",
            (user_id,),
        )
        return [read_run(row) for row in rows]

    def newest(self, session_id: str) -> Run | None:
        """The run of a session that goes on, or else its newest."""
        row = self.database.one(
            "SELECT * FROM agent_runs WHERE session_id = ? AND copied_from IS NULL"
            f" ORDER BY {_LIVE} DESC, created_at DESC, id DESC LIMIT 1",
            (session_id,),
        )
        return None if row is None else read_run(row)

    def search(
        self,
        user_id: int,
        *,
        gone: Sequence[str],
        status: RunStatus | None = None,
        agent: str | None = None,
        session_id: str | None = None,
        since: int = 0,
        limit: int = -1,
        offset: int = 0,
    ) -> Iterator[tuple[Run, str | None]]:
        """Runs, each with the start of its prompt; None means any, `limit` -1 all.

        `gone` are those whose process is: they count as `interrupted`, although nobody has marked them.
        """
        conditions = ["user_id = :user", "copied_from IS NULL", "created_at >= :since"]
        if status is not None:
            lost = "id IN (SELECT value FROM json_each(:gone))"
            conditions.append(
                f"(status = :status OR {lost})"
                if status == "interrupted"
                else f"status = :status AND NOT {lost}"
            )
        if agent is not None:
            conditions.append("agent_slug = :agent")
        if session_id is not None:
            conditions.append("session_id = :session")
        rows = self.database.execute(
            f"SELECT r.*, {_PROMPT} AS prompt FROM (SELECT * FROM agent_runs WHERE {' AND '.join(conditions)}"
            " ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :offset) r",
            {
                "user": user_id,
                "since": since,
                "gone": to_json(list(gone)),
                "status": status,
                "agent": agent,
                "session": session_id,
                "limit": limit,
                "offset": offset,
            },
        )
        return map(_listed, rows)


def _listed(row: sqlite3.Row) -> tuple[Run, str | None]:
    return read_run(row), row["prompt"]
