"""Sessions of one user; every query carries that user."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from agentctl.domain.ids import new_id, now_ms
from agentctl.domain.session import Session
from agentctl.errors import NotFound, UsageError
from agentctl.store.connection import Database

SHORTEST_ID = 4
PREVIEW = (
    "(SELECT substr(json_extract(m.parts, '$[0].text'), 1, 200) FROM agent_messages m"
    " WHERE m.session_id = s.id ORDER BY m.seq LIMIT 1)"
)
SELECT = (
    "SELECT s.id, s.user_id, a.slug AS agent, s.title, s.model, s.enable_thinking, s.enable_tools,"
    " s.created_at, s.updated_at, s.last_active_at,"
    f" CASE WHEN s.title IS NULL THEN {PREVIEW} END AS preview"
    " FROM agent_sessions s LEFT JOIN agents a ON a.id = s.agent_id"
)


class Sessions:
    """Sessions by id, newest activity first."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def create(self, user_id: int, agent_id: int, agent_slug: str, model: str | None, revision: int) -> str:
        """A new session; returns its id. `model` None inherits the agent's."""
        session_id = new_id("as")
        now = now_ms()
        self.database.execute(
            "INSERT INTO agent_sessions (id, user_id, agent_id, agent_slug, model, revision,"
            " created_at, updated_at, last_active_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (session_id, user_id, agent_id, agent_slug, model, revision, now, now, now),
        )
        return session_id

    def list(
        self, user_id: int, *, agent: str | None = None, limit: int = -1, offset: int = 0
    ) -> Iterator[Session]:
        """The user's sessions, newest activity first; `limit` -1 means all."""
        rows = self.database.execute(
            f"{SELECT} WHERE s.user_id = ? {'' if agent is None else 'AND a.slug = ?'}"
            " ORDER BY s.last_active_at DESC, s.id DESC LIMIT ? OFFSET ?",
            (user_id, limit, offset) if agent is None else (user_id, agent, limit, offset),
        )
        return (_session(row) for row in rows)

    def find(self, user_id: int, reference: str) -> Session:
        """The session that `reference` means: an id, a unique prefix or suffix of it, or `@last`.

        Raises NotFound for none, UsageError for several.
        """
        if reference == "@last":
            session = next(self.list(user_id, limit=1), None)
            if session is None:
                raise NotFound("there is no session yet", hint='Start one with agentctl chat "...".')
            return session
        found = self._matching(user_id, reference)
        if not found:
            raise NotFound(f'no session "{reference}"', hint="agentctl sessions list shows them.")
        if len(found) > 1:
            raise UsageError(
                f'"{reference}" means several sessions: {", ".join(session.id for session in found[:4])}',
                hint="Give more of the id.",
            )
        return found[0]

    def touch(self, session_id: str) -> None:
        """Make this the session with the newest activity, also where two are touched in one millisecond."""
        self.database.execute(
            "UPDATE agent_sessions SET last_active_at = max(?1, (SELECT ifnull(max(o.last_active_at) + 1, 0)"
            " FROM agent_sessions o WHERE o.user_id = agent_sessions.user_id AND o.id <> ?2)) WHERE id = ?2",
            (now_ms(), session_id),
        )

    def set_title(self, session_id: str, title: str) -> bool:
        """Give the session its title unless it has one; True when it was set."""
        cursor = self.database.execute(
            "UPDATE agent_sessions SET title = ?, updated_at = ? WHERE id = ? AND title IS NULL",
            (title, now_ms(), session_id),
        )
        return cursor.rowcount == 1

    def rename(self, session_id: str, title: str) -> None:
        """Give the session this title, whatever it was called before."""
        self.database.execute(
            "UPDATE agent_sessions SET title = ?, updated_at = ? WHERE id = ?", (title, now_ms(), session_id)
        )

    def untitled(self, user_id: int, limit: int = -1) -> tuple[Session, ...]:
        """The user's sessions that have an agent and a message but no title, newest activity first."""
        rows = self.database.execute(
            f"{SELECT} WHERE s.user_id = ? AND s.title IS NULL AND a.id IS NOT NULL"
            " AND EXISTS (SELECT 1 FROM agent_messages m WHERE m.session_id = s.id)"
            " ORDER BY s.last_active_at DESC, s.id DESC LIMIT ?",
            (user_id, limit),
        )
        return tuple(_session(row) for row in rows)

    def _matching(self, user_id: int, reference: str) -> tuple[Session, ...]:
        exact = self.database.execute(
            f"{SELECT} WHERE s.user_id = ? AND s.id = ?", (user_id, reference)
        ).fetchall()
        if exact or len(reference) < SHORTEST_ID:
            return tuple(_session(row) for row in exact)
        length = len(reference)
        rows = self.database.execute(
            f"{SELECT} WHERE s.user_id = ? AND (substr(s.id, 1, ?) = ? OR substr(s.id, -?) = ?) LIMIT 5",
            (user_id, length, reference, length, reference),
        )
        return tuple(_session(row) for row in rows)


def _session(row: sqlite3.Row) -> Session:
    return Session(
        id=row["id"],
        user_id=row["user_id"],
        agent=row["agent"],
        title=row["title"],
        model=row["model"],
        enable_thinking=_switch(row["enable_thinking"]),
        enable_tools=_switch(row["enable_tools"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        last_active_at=row["last_active_at"],
        preview=row["preview"],
    )


def _switch(value: int | None) -> bool | None:
    return None if value is None else bool(value)
