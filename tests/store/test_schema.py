"""The schema as SQLite itself reports it: the indexes, defaults and deletions that the design names."""

from __future__ import annotations

import pytest

from agentctl.store import Store

INDEXES = {
    "agents_enabled_idx": ("agents", ["enabled"]),
    "agents_sort_order_idx": ("agents", ["sort_order"]),
    "agent_tool_assoc_uniq": ("agent_tool_associations", ["agent_id", "tool_id"]),
    "idx_agent_sessions_agent": ("agent_sessions", ["agent_id"]),
    "idx_agent_doc_user_type": ("agent_documents", ["user_id", "type"]),
    "idx_agent_doc_user_created": ("agent_documents", ["user_id", "created_at"]),
    "idx_agent_doc_session": ("agent_documents", ["session_id"]),
}
AGENT_DEFAULTS = {
    "system_prompt": "''",
    "title_strategy": "'llm'",
    "enable_thinking": "0",
    "enable_tools": "1",
    "max_step_count": "6",
    "is_default": "0",
    "is_callable": "0",
    "sort_order": "0",
    "enabled": "1",
    "egress": "'ask'",
    "description": None,
    "default_model": None,
    "title_model": None,
}


@pytest.mark.parametrize(("name", "where"), INDEXES.items())
def test_the_indexes_carry_the_names_of_the_design(
    store: Store, name: str, where: tuple[str, list[str]]
) -> None:
    table, columns = where
    named = {row["name"]: row["unique"] for row in store.database.execute(f"PRAGMA index_list({table})")}
    assert name in named
    assert bool(named[name]) is name.endswith("_uniq")
    assert [row["name"] for row in store.database.execute(f"PRAGMA index_info({name})")] == columns


def test_agents_have_the_defaults_of_the_design(store: Store) -> None:
    columns = {row["name"]: row["dflt_value"] for row in store.database.execute("PRAGMA table_info(agents)")}
    assert {name: columns[name] for name in AGENT_DEFAULTS} == AGENT_DEFAULTS


@pytest.mark.parametrize(
    ("table", "column", "action"),
    [
        ("agent_tool_associations", "agent_id", "CASCADE"),
        ("agent_tool_associations", "tool_id", "CASCADE"),
        ("agent_sessions", "agent_id", "SET NULL"),
        ("agent_messages", "session_id", "CASCADE"),
        ("agent_documents", "session_id", "SET NULL"),
    ],
)
def test_a_deletion_does_what_the_design_says(store: Store, table: str, column: str, action: str) -> None:
    keys = {
        row["from"]: row["on_delete"] for row in store.database.execute(f"PRAGMA foreign_key_list({table})")
    }
    assert keys[column] == action


@pytest.mark.parametrize("column", ["model", "enable_thinking", "enable_tools", "title"])
def test_what_a_session_may_inherit_is_nullable(store: Store, column: str) -> None:
    columns = {
        row["name"]: row["notnull"] for row in store.database.execute("PRAGMA table_info(agent_sessions)")
    }
    assert columns[column] == 0


def test_there_can_be_only_one_default_agent(store: Store) -> None:
    rows = store.database.execute("PRAGMA index_list(agents)")
    partial = [row["name"] for row in rows if row["partial"] and row["unique"]]
    assert partial == ["agents_default_uniq"]
