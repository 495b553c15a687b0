"""The `limits` of an agent in YAML: their keys, what each may hold, and the value they become."""

from __future__ import annotations

import math
from typing import Any

from agentctl.domain.durations import PATTERN, parse_duration
from agentctl.domain.limits import Limits
from agentctl.sync.fields import Field, make_table
from agentctl.sync.kinds import LARGEST, Kind, describe, whole
from agentctl.sync.report import Report


def _amount(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"expected a number (USD), got {describe(value)}"
    if not math.isfinite(value) or not 0 < value <= LARGEST:
        return f"expected an amount above 0, got {describe(value)}"
    return None


def _duration(value: Any) -> str | None:
    return (
        None if read_seconds(value) else f"expected seconds, or a time like 90s or 5m, got {describe(value)}"
    )


def read_seconds(value: Any) -> float | None:
    """A duration in seconds; None for what is none."""
    if isinstance(value, str):
        return parse_duration(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LARGEST:
        return None
    return float(value)


AMOUNT = Kind(_amount, {"type": "number", "exclusiveMinimum": 0})
DURATION = Kind(_duration, {"type": ["number", "string"], "exclusiveMinimum": 0, "pattern": PATTERN})

LIMITS = make_table(
    Field("max_tool_calls", whole(0), "Tool calls that one run may make.", nullable=True),
    Field("max_output_tokens", whole(1), "Tokens of all answers of one run, thoughts too.", nullable=True),
    Field("max_cost_usd", AMOUNT, "USD that one run may cost; needs a model of known price.", nullable=True),
    Field("max_cost_usd_per_day", AMOUNT, "USD that the agent may cost in a day (UTC).", nullable=True),
    Field("timeout", DURATION, "How long one run may take: seconds, or 90s, 5m.", nullable=True),
)


def read_limits(report: Report, raw: dict[str, Any]) -> Limits:
    """The limits in `raw`; what is wrong with them goes into `report`."""
    sound = report.fields(raw, LIMITS)
    for key, read in (("max_cost_usd", float), ("max_cost_usd_per_day", float), ("timeout", read_seconds)):
        if key in sound:
            sound[key] = read(sound[key])
    return Limits(**sound)
