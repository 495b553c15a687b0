"""Results are kept for as long as was said, and not without bounds."""

from __future__ import annotations

import pytest

from agentctl.domain.ids import clock_ms
from agentctl.store import Store
from agentctl.store.tool_results import LONGEST, MOST


def test_a_result_is_found_by_another_process_until_it_expires(store: Store) -> None:
    store.tool_results.keep("k", {"天气": [1, None]}, 60)
    other = Store(store.path)
    assert other.tool_results.find("k") == {"data": {"天气": [1, None]}}
    assert other.tool_results.find("other") is None
    store.database.execute("UPDATE agent_tool_results SET expires_at = ?", (clock_ms() - 1,))
    assert other.tool_results.find("k") is None


def test_nothing_is_found_apart_from_null_being_kept(store: Store) -> None:
    store.tool_results.keep("null", None, 60)
    assert store.tool_results.find("null") == {"data": None}


def test_what_expired_is_removed_with_the_next_result(store: Store) -> None:
    store.tool_results.keep("old", 1, 0)
    store.tool_results.keep("new", 2, 60)
    rows = store.database.execute("SELECT key FROM agent_tool_results").fetchall()
    assert [row["key"] for row in rows] == ["new"]


def test_the_oldest_make_room(store: Store) -> None:
    now = clock_ms()
    store.database.executemany(
        "INSERT INTO agent_tool_results VALUES (?, '1', ?, ?)",
        [(f"k{number}", now - number, now + 60_000) for number in range(1, MOST + 1)],
    )
    store.tool_results.keep("new", 2, 60)
    assert store.database.one("SELECT count(*) FROM agent_tool_results")[0] == MOST  # type: ignore[index]
    assert store.tool_results.find("new") is not None
    assert store.tool_results.find(f"k{MOST}") is None


def test_what_is_too_long_is_not_kept(store: Store) -> None:
    store.tool_results.keep("long", "x" * LONGEST, 60)
    assert store.tool_results.find("long") is None


@pytest.mark.parametrize("seconds", [1e300, 1e9])
def test_for_ever_is_no_overflow(store: Store, seconds: float) -> None:
    store.tool_results.keep("k", 1, seconds)
    assert store.tool_results.find("k") == {"data": 1}
