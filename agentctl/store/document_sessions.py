"""How documents hang on sessions: whose a session is, and which ended."""

from __future__ import annotations

from agentctl.store.connection import Database


class DocumentSessions:
    """Sessions as far as documents are concerned; deleting one archives its memories by a trigger."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def own(self, user_id: int, session_id: str) -> bool:
        """Whether there is such a session of this user."""
        row = self.database.one(
            "SELECT 1 FROM agent_sessions WHERE id = ? AND user_id = ?", (session_id, user_id)
        )
        return row is not None

    def idle(self, user_id: int, before: int) -> list[str]:
        """The user's sessions with live session memories in which nothing happened since `before`."""
        rows = self.database.execute(
            "SELECT DISTINCT d.session_id FROM agent_documents d JOIN agent_sessions s ON s.id = d.session_id"
            " WHERE d.user_id = ? AND d.tier = 'session' AND d.archived = 0 AND s.last_active_at < ?",
            (user_id, before),
        )
        return [row["session_id"] for row in rows]

    def archive(self, user_id: int, session_id: str) -> int:
        """Archive the session memories of a session that ended; returns how many."""
        return self.database.execute(
            "UPDATE agent_documents SET archived = 1"
            " WHERE user_id = ? AND session_id = ? AND tier = 'session' AND archived = 0",
            (user_id, session_id),
        ).rowcount
