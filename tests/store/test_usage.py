"""What requests cost: rows that add up in any grouping, and sums that read no more than they must."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agentctl.domain.agent import Agent
from agentctl.domain.ids import now_ms
from agentctl.domain.message import Message, Text, Usage
from agentctl.domain.usage import GROUPS, Group, Payer
from agentctl.store import Store
from agentctl.store.usage import DAY_MS

ME = Payer(1, "coder", "as_1", "ar_1")


def plan(store: Store, ask: Callable[[], object]) -> str:
    """How SQLite finds the rows of the one query that `ask` makes."""
    seen: list[str] = []
    store.database.connection.set_trace_callback(seen.append)
    ask()
    store.database.connection.set_trace_callback(None)
    (sql,) = seen
    return " ".join(row["detail"] for row in store.database.execute(f"EXPLAIN QUERY PLAN {sql}"))


def test_the_daily_sum_reads_one_row_and_what_is_under_way_no_others(store: Store) -> None:
    found = plan(store, lambda: store.usage.spent_today("a"))
    assert found == "SEARCH usage_days USING PRIMARY KEY (agent_slug=? AND day=?)"
    found = plan(store, lambda: store.usage.reserved_today("a"))
    assert found == "SEARCH usage USING INDEX usage_reserved_idx (agent_slug=?)"


def test_the_daily_sum_is_the_sum_of_the_rows_whatever_becomes_of_them(store: Store) -> None:
    rows = [store.usage.reserve(ME, "p/a", "chat", cost_usd=0.1 * n, output=n) for n in range(1, 6)]
    store.usage.settle(rows[0], Usage(1, 1), 0.000_000_001)
    store.usage.settle(rows[1], None, None)
    store.usage.release(rows[2])
    store.usage.record(ME, "p/a", "title", Usage(1, 1), 0.05)
    store.usage.record(ME, "p/a", "chat", None, None)
    assert store.usage.spent_today("coder") == 1.150_000_001
    assert store.usage.reserved_today("coder") == 0.9
    assert store.usage.spent_today("nobody") == 0.0


def test_a_time_reads_no_older_rows_and_no_other_users(store: Store) -> None:
    found = plan(store, lambda: store.usage.totals(1, "model", since=5))
    assert "INDEX usage_user_created_idx (user_id=? AND created_at>?)" in found


def new_session(store: Store) -> str:
    store.agents.put(Agent("coder", "Coder"))
    agent = store.agents.require("coder")
    return store.sessions.create(store.users.ensure("tester").id, agent.id, "coder", None, 0)


@pytest.mark.parametrize("by", GROUPS)
def test_every_grouping_has_the_same_sum(store: Store, by: Group) -> None:
    me = store.users.ensure("tester").id
    costs = [0.1, 0.2, 0.3, 0.000_000_001, 0.7, None]
    for number, cost in enumerate(costs):
        payer = Payer(me, f"agent-{number % 2}", f"as_{number % 3}", f"ar_{number}")
        store.usage.record(payer, f"p/m-{number % 4}", "chat", Usage(10, 5, 3, 2), cost)
    totals = store.usage.totals(me, by)
    assert sum(total.chat.requests for total in totals) == len(costs)
    assert sum(total.chat.usage.input for total in totals) == 60
    assert sum(total.chat.unpriced for total in totals) == 1
    whole = totals[0].chat
    for total in totals[1:]:
        whole += total.chat
    assert whole.cost_usd == 1.300_000_001


def test_an_unknown_cost_is_none_and_a_part_of_it_is_the_known_part(store: Store) -> None:
    store.usage.record(ME, "p/a", "chat", Usage(1, 1), None)
    store.usage.record(ME, "p/b", "chat", Usage(1, 1), 0.25)
    store.usage.record(ME, "p/b", "chat", None, None)
    known, unknown = store.usage.totals(1, "model")
    assert (known.group, known.chat.cost_usd, known.chat.unpriced) == ("p/b", 0.25, 1)
    assert (unknown.group, unknown.chat.cost_usd, unknown.chat.unpriced) == ("p/a", None, 1)


def test_titles_and_tests_stand_apart(store: Store) -> None:
    store.usage.record(ME, "p/a", "chat", Usage(10, 5), 0.5, message_id="am_1")
    store.usage.record(ME, "p/a", "title", Usage(3, 2), 0.125)
    store.usage.record(Payer(1), "p/a", "test", Usage(1, 1), None)
    (row,) = [total.as_dict("model") for total in store.usage.totals(1, "model")]
    assert (row["model"], row["requests"], row["input"], row["cost_usd"]) == ("p/a", 1, 10, 0.5)
    assert (row["title_requests"], row["title_output"], row["title_cost_usd"]) == (1, 2, 0.125)
    assert (row["test_requests"], row["test_cost_usd"], row["test_unpriced"]) == (1, None, 1)


def test_another_users_requests_are_never_seen(store: Store) -> None:
    store.usage.record(Payer(2, "coder"), "p/a", "chat", Usage(1, 1), 1.0)
    assert all(store.usage.totals(1, by) == [] for by in GROUPS)


def test_time_and_agent_narrow_it_down(store: Store) -> None:
    store.usage.record(Payer(1, "old"), "p/a", "chat", Usage(1, 1), 1.0)
    store.database.execute("UPDATE usage SET created_at = ?", (now_ms() - 8 * DAY_MS,))
    store.usage.record(Payer(1, "new"), "p/a", "chat", Usage(1, 1), 2.0)
    assert [total.group for total in store.usage.totals(1, "agent")] == ["new", "old"]
    assert [total.group for total in store.usage.totals(1, "agent", since=now_ms() - DAY_MS)] == ["new"]
    assert [total.group for total in store.usage.totals(1, "agent", agent="old")] == ["old"]


def test_days_are_of_utc_and_the_newest_is_first(store: Store) -> None:
    for created_at in (0, DAY_MS - 1, DAY_MS):
        store.usage.record(ME, "p/a", "chat", Usage(1, 1), 1.0)
        store.database.execute(
            "UPDATE usage SET created_at = ? WHERE id = (SELECT max(id) FROM usage)", (created_at,)
        )
    days = [(total.group, total.chat.requests) for total in store.usage.totals(1, "day")]
    assert days == [("1970-01-02", 1), ("1970-01-01", 2)]


def test_what_is_reserved_counts_and_is_not_yet_spent(store: Store) -> None:
    row = store.usage.reserve(ME, "p/a", "chat", cost_usd=0.5, output=100)
    assert (store.usage.spent_today("coder"), store.usage.reserved_today("coder")) == (0.5, 0.5)
    assert store.usage.counted_for_run("ar_1") == (0.5, 100)
    assert store.usage.totals(1, "model") == []
    store.usage.settle(row, Usage(10, 7), 0.125, message_id="am_1")
    assert (store.usage.spent_today("coder"), store.usage.reserved_today("coder")) == (0.125, 0.0)
    assert store.usage.counted_for_run("ar_1") == (0.125, 7)
    assert store.usage.of_run("ar_1").usage == Usage(10, 7)


def test_an_unknown_end_keeps_its_worst_case_for_the_limits_only(store: Store) -> None:
    row = store.usage.reserve(ME, "p/a", "chat", cost_usd=0.5, output=100)
    store.usage.settle(row, None, None, output=40)
    assert store.usage.counted_for_run("ar_1") == (0.5, 40)
    spent = store.usage.of_run("ar_1")
    assert (spent.requests, spent.cost_usd, spent.unpriced) == (1, None, 1)


def test_a_dead_runs_reservation_stays_counted_for_its_day_and_is_spent_when_it_is_taken_over(
    store: Store,
) -> None:
    store.usage.reserve(ME, "p/a", "chat", cost_usd=0.5, output=100)
    store.usage.abandon("ar_1")
    assert (store.usage.spent_today("coder"), store.usage.reserved_today("coder")) == (0.5, 0.0)
    assert store.usage.of_run("ar_1").unpriced == 1
    store.database.execute("UPDATE usage_days SET day = day - 1")
    assert store.usage.spent_today("coder") == 0.0


def test_nothing_came_of_it_so_nothing_is_kept(store: Store) -> None:
    row = store.usage.reserve(ME, "p/a", "chat", cost_usd=0.5, output=100)
    store.usage.release(row)
    assert store.usage.spent_today("coder") == 0.0


def test_usage_outlives_its_session(store: Store) -> None:
    user = store.users.ensure("tester")
    session = new_session(store)
    store.usage.record(Payer(user.id, "coder", session), "p/a", "chat", Usage(1, 1), 1.0)
    store.database.execute("DELETE FROM agent_sessions")
    assert [total.group for total in store.usage.totals(user.id, "session")] == [session]


def test_a_message_keeps_its_cost(store: Store) -> None:
    session = new_session(store)
    for cost in (0.25, None):
        store.messages.add(
            Message("assistant", (Text("hi"),), session_id=session, usage=Usage(1, 2), cost_usd=cost)
        )
    assert [message.cost_usd for message in store.messages.history(session)] == [0.25, None]
