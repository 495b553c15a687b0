"""Models of the whole database, and those that one user alone has."""

from __future__ import annotations

import sqlite3

from agentctl.domain.model import Model
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.upsert import upsert

COLUMNS = (
    "slug, provider, name, context_window, max_output_tokens, input_price, output_price, cached_input_price,"
    " inputs, options, source, user_id"
)


class Models:
    """Models by slug. One with a user is that user's alone, and hides a common one of the same slug."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def list(self, user_id: int | None = None) -> list[Model]:
        """Those of everybody, by slug; with a user also the private ones, each before its namesake."""
        rows = self.database.execute(
            f"SELECT {COLUMNS} FROM models WHERE user_id IS NULL OR user_id = ?"
            " ORDER BY slug, user_id IS NULL",
            (user_id,),
        )
        return [_model(row) for row in rows]

    def get(self, slug: str, user_id: int | None = None) -> Model | None:
        """The user's private model of this slug, else everybody's, else None."""
        row = self.database.one(
            f"SELECT {COLUMNS} FROM models WHERE slug = ? AND (user_id IS NULL OR user_id = ?)"
            " ORDER BY user_id IS NULL LIMIT 1",
            (slug, user_id),
        )
        return _model(row) if row else None

    def put(self, model: Model, user_id: int | None = None) -> None:
        """Insert or update by slug: everybody's, or the user's private one."""
        row = {
            "user_id": user_id,
            "slug": model.slug,
            "provider": model.provider,
            "name": model.name,
            "context_window": model.context_window,
            "max_output_tokens": model.max_output_tokens,
            "input_price": model.input_price,
            "output_price": model.output_price,
            "cached_input_price": model.cached_input_price,
            "inputs": None if model.inputs is None else to_json(list(model.inputs)),
            "options": to_json(model.options),
            "source": model.source,
        }
        upsert(self.database, "models", ("user_id", "slug"), row)

    def delete(self, slug: str, user_id: int | None = None) -> None:
        """Remove everybody's model of this slug, or the user's private one."""
        self.database.execute("DELETE FROM models WHERE slug = ? AND user_id IS ?", (slug, user_id))


def _model(row: sqlite3.Row) -> Model:
    inputs = from_json(row["inputs"])
    return Model(
        slug=row["slug"],
        provider=row["provider"],
        name=row["name"],
        context_window=row["context_window"],
        max_output_tokens=row["max_output_tokens"],
        input_price=row["input_price"],
        output_price=row["output_price"],
        options=from_json(row["options"]),
        source=row["source"],
        cached_input_price=row["cached_input_price"],
        inputs=None if inputs is None else tuple(inputs),
        private=row["user_id"] is not None,
    )
