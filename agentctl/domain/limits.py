"""How much one run, and one agent on one day, may use."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from agentctl.domain.value import value


@value
class Limits:
    """None means no limit. Money is in USD, `timeout` in seconds; a day is a UTC day of one agent.

    `max_output_tokens` counts all answers of a run, thoughts included.
    """

    max_tool_calls: int | None = None
    max_output_tokens: int | None = None
    max_cost_usd: float | None = None
    max_cost_usd_per_day: float | None = None
    timeout: float | None = None

    @property
    def bounds_requests(self) -> bool:
        """Whether a request must be counted before it is sent."""
        return (self.max_output_tokens, self.max_cost_usd, self.max_cost_usd_per_day) != (None, None, None)

    def tightened(self, other: Limits) -> Limits:
        """The stricter of both, limit by limit: what one allows, the other may still forbid."""
        pairs = {each.name: (getattr(self, each.name), getattr(other, each.name)) for each in fields(self)}
        return Limits(**{name: _least(*pair) for name, pair in pairs.items()})

    def as_dict(self) -> dict[str, Any]:
        """The limits that are set, as they stand in YAML."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: limit for name, limit in values.items() if limit is not None}


def _least(first: Any, second: Any) -> Any:
    given = [limit for limit in (first, second) if limit is not None]
    return min(given) if given else None
