"""Named values that hold for the whole database."""

from __future__ import annotations

from agentctl.store.connection import Database


class Settings:
    """A small table of key and text; `default_model` is the one people know."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def get(self, key: str) -> str | None:
        """The value, or None."""
        row = self.database.one("SELECT value FROM settings WHERE key = ?", (key,))
        return row["value"] if row else None

    def set(self, key: str, value: str | None) -> None:
        """Store the value; None removes the key."""
        if value is None:
            self.database.execute("DELETE FROM settings WHERE key = ?", (key,))
            return
        self.database.execute(
            "INSERT INTO settings (key, value) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (key, value),
        )
