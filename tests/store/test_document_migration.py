"""Documents that were there before they had tiers and versions."""

from __future__ import annotations

import sqlite3

from agentctl.store.migrations.m001_spine import SPINE
from agentctl.store.migrations.m004_documents import DOCUMENTS


def test_older_documents_keep_what_they_said() -> None:
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.row_factory = sqlite3.Row
    database.execute("PRAGMA foreign_keys=ON")
    apply(database, SPINE)
    database.execute("INSERT INTO users (id, name, created_at, updated_at) VALUES (1, 'ann', 1, 1)")
    database.execute(
        "INSERT INTO agent_documents"
        " (id, user_id, type, title, content, summary, tags, created_at, updated_at)"
        " VALUES ('ad_1', 1, 'memory', '标题', '内容 🙂', 'sum', 'a,b', 5, 6)"
    )
    apply(database, DOCUMENTS)
    (row,) = database.execute("SELECT * FROM agent_documents")
    assert dict(row) == {
        "id": "ad_1",
        "user_id": 1,
        "session_id": None,
        "type": "memory",
        "tier": "long_term",
        "archived": 0,
        "visibility": "private",
        "rev": 1,
        "hash": "",
        "content_chars": 4,
        "untrusted": 0,
        "similar_to": None,
        "pinned_by": None,
        "created_at": 5,
        "updated_at": 6,
        "deleted_at": None,
        "title": "标题",
        "tags": "a,b",
        "source_path": None,
        "summary": "sum",
        "content": "内容 🙂",
    }
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def apply(database: sqlite3.Connection, statements: str) -> None:
    for statement in statements.split(";\n"):
        if statement.strip():
            database.execute(statement)
