"""The tool type `datetime`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.tool import ToolContext
from agentctl.tools.base import ToolType
from agentctl.tools.datetime.arguments import DateTimeArguments


class DateTime(ToolType):
    """The clock and the calendar. Inputs are short and every step is linear in them, so it runs in place."""

    type = "datetime"
    description = (
        "Tells the time and calculates with dates. "
        'Examples: {"action": "now", "time_zone": "Asia/Tokyo"}, '
        '{"action": "add", "time": "2026-11-30", "duration": "10 days"}, '
        '{"action": "difference", "time": "2026-11-30", "end": "2026-12-25"}.'
    )
    Arguments = DateTimeArguments

    def find_action(self, arguments: Mapping[str, Any]) -> str | None:
        """What `action` says."""
        return arguments.get("action")

    async def run(self, arguments: DateTimeArguments, context: ToolContext) -> dict[str, Any]:
        """A moment with zone and weekday; for "difference" seconds, days and words; for "format" `text`."""
        from agentctl.tools.datetime.actions import perform  # zoneinfo is only loaded by a call

        return perform(arguments, self.services.time_zone)
