"""What requests used and cost: who pays, the sums of a group, and how money is rounded and written."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import field
from typing import Any, Literal

from agentctl.domain.message import Usage
from agentctl.domain.value import value

Purpose = Literal["chat", "test", "title"]
Group = Literal["agent", "day", "model", "session", "user"]
GROUPS: tuple[Group, ...] = ("agent", "day", "model", "session", "user")

# A cost is rounded to a thousand-millionth of a dollar once, when it is known. Sums are rounded the same, so
# that they are the same in whatever order and groups they are made.
DECIMALS = 9


@value
class Payer:
    """Whose request it is; a test of a model belongs to no agent, session or run."""

    user_id: int
    agent: str | None = None
    session_id: str | None = None
    run_id: str | None = None


@value
class Spent:
    """What some requests used. `cost_usd` is the known part, None where nothing of it is known.

    `unpriced` of the `requests` have an unknown cost.
    """

    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    unpriced: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.requests + other.requests,
            self.usage + other.usage,
            sum_usd((self.cost_usd, other.cost_usd)),
            self.unpriced + other.unpriced,
        )

    def as_dict(self) -> dict[str, Any]:
        """The numbers, in the order of the table."""
        return {
            "requests": self.requests,
            **self.usage.as_dict(),
            "cost_usd": self.cost_usd,
            "unpriced": self.unpriced,
        }


@value
class GroupUsage:
    """One group: its answers, and apart from them what is in no run's result, titles and tests of models."""

    group: str | None
    chat: Spent = field(default_factory=Spent)
    title: Spent = field(default_factory=Spent)
    test: Spent = field(default_factory=Spent)

    def as_dict(self, by: Group) -> dict[str, Any]:
        """A row of `agentctl usage`."""
        apart = {
            f"{purpose}_{name}": number
            for purpose, spent in (("title", self.title), ("test", self.test))
            for name, number in spent.as_dict().items()
        }
        return {by: self.group, **self.chat.as_dict(), **apart}


def round_usd(amount: float) -> float:
    """`amount` as it is stored and added."""
    return round(amount, DECIMALS)


def sum_usd(amounts: Iterable[float | None]) -> float | None:
    """The sum of the known amounts; None where none is known."""
    known = [amount for amount in amounts if amount is not None]
    return round_usd(math.fsum(known)) if known else None


def format_usd(amount: float) -> str:
    """`0.0123`: two to six decimals, more only where an amount would seem to be nothing; no exponent."""
    text = f"{amount:.6f}"
    if amount and not float(text):
        text = f"{amount:.{DECIMALS}f}"
    whole, _, decimals = text.partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"
