"""Insert or update by key, for the declared things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentctl.domain.ids import now_ms
from agentctl.store.connection import Database


def upsert(database: Database, table: str, keys: Sequence[str], row: Mapping[str, Any]) -> None:
    """Update the row whose `keys` are equal (NULL equals NULL), else insert it; keeps `created_at`."""
    now = now_ms()
    changed = [name for name in row if name not in keys]
    assignments = ", ".join(f"{name} = :{name}" for name in [*changed, "updated_at"])
    where = " AND ".join(f"{key} IS :{key}" for key in keys)
    values = {**row, "created_at": now, "updated_at": now}
    if database.execute(f"UPDATE {table} SET {assignments} WHERE {where}", values).rowcount:
        return
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    database.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)
