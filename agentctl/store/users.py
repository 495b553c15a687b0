"""Users by name; created when they first appear."""

from __future__ import annotations

from agentctl.domain.ids import now_ms
from agentctl.domain.user import User
from agentctl.store.connection import Database


class Users:
    """The users of this database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def ensure(self, name: str) -> User:
        """The user of this name, created on first use."""
        user = self._by("name", name)
        if user:
            return user
        now = now_ms()
        self.database.execute(
            "INSERT INTO users (name, created_at, updated_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
            (name, now, now),
        )
        return self._by("name", name) or User(0, name)

    def find(self, user_id: int) -> User | None:
        """The user with this id, or None."""
        return self._by("id", user_id)

    def prefer(self, user_id: int, model: str | None) -> None:
        """What the user wants in every conversation that names no model; None takes that back."""
        self.database.execute(
            "UPDATE users SET preferred_model = ?, updated_at = ? WHERE id = ?", (model, now_ms(), user_id)
        )

    def _by(self, column: str, value: str | int) -> User | None:
        row = self.database.one(f"SELECT id, name, preferred_model FROM users WHERE {column} = ?", (value,))
        return User(row["id"], row["name"], row["preferred_model"]) if row else None
