"""Declared models of the whole database."""

from __future__ import annotations

import sqlite3

from agentctl.domain.model import Model
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.upsert import upsert

COLUMNS = (
    "slug, provider, name, context_window, max_output_tokens, input_price, output_price, options, source"
)


class Models:
    """Models by slug, those that belong to nobody in particular."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def list(self) -> list[Model]:
        """All models, by slug."""
        rows = self.database.execute(f"SELECT {COLUMNS} FROM models WHERE user_id IS NULL ORDER BY slug")
        return [_model(row) for row in rows]

    def get(self, slug: str) -> Model | None:
        """The model with this slug, or None."""
        row = self.database.one(f"SELECT {COLUMNS} FROM models WHERE user_id IS NULL AND slug = ?", (slug,))
        return _model(row) if row else None

    def put(self, model: Model) -> None:
        """Insert or update by slug."""
        row = {
            "user_id": None,
            "slug": model.slug,
            "provider": model.provider,
            "name": model.name,
            "context_window": model.context_window,
            "max_output_tokens": model.max_output_tokens,
            "input_price": model.input_price,
            "output_price": model.output_price,
            "options": to_json(model.options),
            "source": model.source,
        }
        upsert(self.database, "models", ("user_id", "slug"), row)

    def delete(self, slug: str) -> None:
        """Remove the model."""
        self.database.execute("DELETE FROM models WHERE user_id IS NULL AND slug = ?", (slug,))


def _model(row: sqlite3.Row) -> Model:
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
    )
