"""The tool type `moon`: what the moon looks like on a day."""

from __future__ import annotations

from dataclasses import field
from datetime import UTC, date, datetime
from math import cos, tau
from typing import Any, Literal

from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.base import ToolConfig, ToolError, ToolType

# A new moon, and the mean days from one to the next (Meeus, Astronomical Algorithms, chapter 49).
NEW_MOON = datetime(2000, 1, 6, 18, 14, tzinfo=UTC)
MONTH = 29.530588861
PHASES = (
    "new moon",
    "waxing crescent",
    "first quarter",
    "waxing gibbous",
    "full moon",
    "waning gibbous",
    "last quarter",
    "waning crescent",
)


@value
class MoonArguments:
    """Which day."""

    day: str = field(metadata={"description": "The day, as 2026-12-24.", "pattern": r"^\d{4}-\d\d-\d\d$"})


@value
class MoonConfig(ToolConfig):
    """The keys that every tool has, and where the moon is seen from."""

    hemisphere: Literal["north", "south"] = field(
        default="north", metadata={"description": "Where it is seen from: its bright side differs."}
    )


class Moon(ToolType):
    """The phase of the moon by its mean motion, right to within a day."""

    type = "moon"
    description = 'Tells the phase of the moon on a day. Example: {"day": "2026-12-24"} gives full moon.'
    Arguments = MoonArguments
    Config = MoonConfig

    async def run(self, arguments: MoonArguments, context: ToolContext) -> dict[str, Any]:
        """`phase`, the lit part in percent, and the side that is lit. Raises ToolError for no such day."""
        try:
            day = date.fromisoformat(arguments.day)
        except ValueError:
            raise ToolError(f"there is no day {arguments.day}") from None
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        age = (noon - NEW_MOON).total_seconds() / 86400 / MONTH % 1
        right = (age < 0.5) == (self.config.hemisphere == "north")
        return {
            "phase": PHASES[round(age * 8) % 8],
            "lit_percent": round((1 - cos(age * tau)) * 50),
            "lit_side": "right" if right else "left",
        }
