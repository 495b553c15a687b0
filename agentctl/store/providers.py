"""Declared providers of the whole database."""

from __future__ import annotations

import sqlite3

from agentctl.domain.model import Provider
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.upsert import upsert

COLUMNS = "slug, kind, base_url, api_key_env, api_key_cmd, headers, options, source"


class Providers:
    """Providers by slug, those that belong to nobody in particular."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def list(self) -> list[Provider]:
        """All providers, by slug."""
        rows = self.database.execute(f"SELECT {COLUMNS} FROM providers WHERE user_id IS NULL ORDER BY slug")
        return [_provider(row) for row in rows]

    def get(self, slug: str) -> Provider | None:
        """The provider with this slug, or None."""
        row = self.database.one(
            f"SELECT {COLUMNS} FROM providers WHERE user_id IS NULL AND slug = ?", (slug,)
        )
        return _provider(row) if row else None

    def put(self, provider: Provider) -> None:
        """Insert or update by slug."""
        row = {
            "user_id": None,
            "slug": provider.slug,
            "kind": provider.kind,
            "base_url": provider.base_url,
            "api_key_env": provider.api_key_env,
            "api_key_cmd": to_json(list(provider.api_key_cmd)),
            "headers": to_json(provider.headers),
            "options": to_json(provider.options),
            "source": provider.source,
        }
        upsert(self.database, "providers", ("user_id", "slug"), row)

    def delete(self, slug: str) -> None:
        """Remove the provider."""
        self.database.execute("DELETE FROM providers WHERE user_id IS NULL AND slug = ?", (slug,))


def _provider(row: sqlite3.Row) -> Provider:
    return Provider(
        slug=row["slug"],
        kind=row["kind"],
        base_url=row["base_url"],
        api_key_env=row["api_key_env"],
        api_key_cmd=tuple(from_json(row["api_key_cmd"])),
        headers=from_json(row["headers"]),
        options=from_json(row["options"]),
        source=row["source"],
    )
