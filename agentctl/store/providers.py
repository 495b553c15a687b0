"""Providers of the whole database, and those that one user alone has."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from agentctl.domain.model import Provider
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.upsert import upsert

COLUMNS = "slug, kind, base_url, api_key_env, api_key_cmd, headers, options, source, user_id"


class Providers:
    """Providers by slug. One with a user is that user's alone: nobody else sees it, and it hides a common
    one of the same slug from that user.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def list(self, user_id: int | None = None) -> list[Provider]:
        """Those of everybody, by slug; with a user also the private ones, each before its namesake."""
        rows = self.database.execute(
            f"SELECT {COLUMNS} FROM providers WHERE user_id IS NULL OR user_id = ?"
            " ORDER BY slug, user_id IS NULL",
            (user_id,),
        )
        return [_provider(row) for row in rows]

    def list_all(self) -> Sequence[Provider]:
        """Everybody's and every user's private ones."""
        rows = self.database.execute(f"SELECT {COLUMNS} FROM providers ORDER BY slug")
        return [_provider(row) for row in rows]

    def get(self, slug: str, user_id: int | None = None) -> Provider | None:
        """The user's private provider of this slug, else everybody's, else None."""
        row = self.database.one(
            f"SELECT {COLUMNS} FROM providers WHERE slug = ? AND (user_id IS NULL OR user_id = ?)"
            " ORDER BY user_id IS NULL LIMIT 1",
            (slug, user_id),
        )
        return _provider(row) if row else None

    def put(self, provider: Provider, user_id: int | None = None) -> None:
        """Insert or update by slug: everybody's, or the user's private one."""
        row = {
            "user_id": user_id,
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

    def delete(self, slug: str, user_id: int | None = None) -> None:
        """Remove everybody's provider of this slug, or the user's private one."""
        self.database.execute("DELETE FROM providers WHERE slug = ? AND user_id IS ?", (slug, user_id))


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
        private=row["user_id"] is not None,
    )
