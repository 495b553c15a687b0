"""What requests used and cost: one row a request, kept when sessions, agents and users are gone."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from typing import Any

from agentctl.domain.ids import now_ms
from agentctl.domain.message import Usage
from agentctl.domain.usage import Group, GroupUsage, Payer, Purpose, Spent
from agentctl.store.connection import Database

DAY_MS = 86_400_000
_KEYS: dict[Group, str] = {
    "agent": "agent_slug",
    "day": "date(created_at / 1000, 'unixepoch')",
    "model": "model",
    "session": "session_id",
    "user": "(SELECT name FROM users WHERE users.id = usage.user_id)",
}
# Whole numbers, for their sums are exact.
_NANO_USD = "sum(CAST(round({} * 1e9) AS INTEGER))"
_SUMS = (
    "count(*) AS requests, sum(input_tokens) AS input, sum(output_tokens) AS output,"
    " sum(cached_tokens) AS cached, sum(reasoning_tokens) AS reasoning,"
    f" {_NANO_USD.format('cost_usd')} AS cost, count(*) - count(cost_usd) AS unpriced"
)
_COUNTED = _NANO_USD.format("counted_usd")


class UsageRows:
    """Requests that are under way (`reserved`) or over (`spent`).

    `counted_usd` and `counted_output` are what limits count of a request: the worst case as long as nobody
    knows better, then what it really was.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def reserve(self, payer: Payer, model: str, purpose: Purpose, *, cost_usd: float, output: int) -> int:
        """Count the worst case of a request that is about to be sent; returns the id of its row.

        `model` is `provider/name`.
        """
        row = {"status": "reserved", "counted_usd": cost_usd, "counted_output": output}
        return self._insert(payer, model, purpose, row)

    def settle(
        self,
        row_id: int,
        usage: Usage | None,
        cost_usd: float | None,
        *,
        message_id: str | None = None,
        output: int | None = None,
    ) -> None:
        """What a reserved request really used; what is unknown stays counted as it was reserved.

        `output` are the tokens that limits count instead.
        """
        spent = _spent(usage, cost_usd, message_id)
        counted = {"counted_usd": cost_usd, "counted_output": usage.output if usage else output}
        changes = {**spent, **{name: value for name, value in counted.items() if value is not None}}
        names = ", ".join(f"{name} = :{name}" for name in changes)
        self.database.execute(f"UPDATE usage SET {names} WHERE id = :id", {**changes, "id": row_id})

    def release(self, row_id: int) -> None:
        """Forget a reserved request that nothing came of."""
        self.database.execute("DELETE FROM usage WHERE id = ? AND status = 'reserved'", (row_id,))

    def abandon(self, run_id: str) -> None:
        """The run is over: what is still reserved for it is spent, for an unknown cost, and stays counted."""
        self.database.execute(
            "UPDATE usage SET status = 'spent' WHERE run_id = ? AND status = 'reserved'", (run_id,)
        )

    def record(
        self,
        payer: Payer,
        model: str,
        purpose: Purpose,
        usage: Usage | None,
        cost_usd: float | None,
        *,
        message_id: str | None = None,
    ) -> None:
        """A request for which nothing was reserved; `model` is `provider/name`, None is unknown."""
        counted = {"counted_usd": cost_usd or 0.0, "counted_output": usage.output if usage else 0}
        self._insert(payer, model, purpose, {**_spent(usage, cost_usd, message_id), **counted})

    def totals(
        self, user_id: int, by: Group, *, since: int | None = None, agent: str | None = None
    ) -> list[GroupUsage]:
        """What a user's requests that are over used, by group; days newest first, else the dearest first.

        `since` is a time in milliseconds.
        """
        only_agent = "" if agent is None else " AND agent_slug = :agent"
        rows = self.database.execute(
            f"SELECT {_KEYS[by]} AS name, purpose, {_SUMS} FROM usage"
            f" WHERE user_id = :user AND created_at >= :since AND status = 'spent'{only_agent}"
            " GROUP BY 1, 2",
            {"user": user_id, "since": since or 0, "agent": agent},
        )
        groups: dict[str | None, dict[str, Spent]] = defaultdict(dict)
        for row in rows:
            groups[row["name"]][row["purpose"]] = _sum(row)
        totals = [GroupUsage(name, **purposes) for name, purposes in groups.items()]
        if by == "day":
            return sorted(totals, key=lambda total: str(total.group), reverse=True)
        return sorted(totals, key=_dearest_first)

    def of_run(self, run_id: str) -> Spent:
        """What the answers of a run used so far; requests under way are not in it."""
        row = self.database.one(
            f"SELECT {_SUMS} FROM usage WHERE run_id = ? AND purpose = 'chat' AND status = 'spent'", (run_id,)
        )
        return _sum(row) if row else Spent()

    def counted_for_run(self, run_id: str) -> tuple[float, int]:
        """USD and output tokens that limits count for a run, requests under way with their worst case."""
        row = self.database.one(
            f"SELECT {_COUNTED} AS usd, sum(counted_output) AS output FROM usage"
            " WHERE run_id = ? AND purpose = 'chat'",
            (run_id,),
        )
        return (_usd(row["usd"]), row["output"] or 0) if row else (0.0, 0)

    def spent_today(self, agent: str) -> float:
        """USD that limits count for an agent's UTC day, whoever asked it, with the requests under way.

        A request belongs to the day on which it was sent. The sum is kept by triggers, so that a day of a
        hundred thousand requests costs no more than its first one.
        """
        row = self.database.one(
            "SELECT nano_usd FROM usage_days WHERE agent_slug = ? AND day = ?", (agent, now_ms() // DAY_MS)
        )
        return _usd(row["nano_usd"]) if row else 0.0

    def reserved_today(self, agent: str) -> float:
        """The part of `spent_today` that requests under way may use."""
        row = self.database.one(
            f"SELECT {_COUNTED} AS usd FROM usage"
            " WHERE agent_slug = ? AND status = 'reserved' AND created_at >= ?",
            (agent, now_ms() // DAY_MS * DAY_MS),
        )
        return _usd(row["usd"]) if row else 0.0

    def _insert(self, payer: Payer, model: str, purpose: Purpose, values: dict[str, Any]) -> int:
        row = {
            "user_id": payer.user_id,
            "agent_slug": payer.agent,
            "session_id": payer.session_id,
            "run_id": payer.run_id,
            "model": model,
            "purpose": purpose,
            "created_at": now_ms(),
            **values,
        }
        names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
        cursor = self.database.execute(f"INSERT INTO usage ({names}) VALUES ({marks})", row)
        return cursor.lastrowid or 0


def _spent(usage: Usage | None, cost_usd: float | None, message_id: str | None) -> dict[str, Any]:
    known = usage or Usage()
    return {
        "status": "spent",
        "message_id": message_id,
        "input_tokens": known.input,
        "output_tokens": known.output,
        "cached_tokens": known.cached,
        "reasoning_tokens": known.reasoning,
        "cost_usd": cost_usd,
    }


def _sum(row: sqlite3.Row) -> Spent:
    usage = Usage(row["input"] or 0, row["output"] or 0, row["cached"] or 0, row["reasoning"] or 0)
    cost = None if row["cost"] is None else _usd(row["cost"])
    return Spent(row["requests"], usage, cost, row["unpriced"])


def _usd(nano: int | None) -> float:
    return (nano or 0) / 1e9


def _dearest_first(total: GroupUsage) -> tuple[float, int, str]:
    every = total.chat + total.title + total.test
    return -(every.cost_usd or 0.0), -every.usage.input - every.usage.output, total.group or ""
