"""The arguments of the tool type `datetime`."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from agentctl.domain.value import value

Action = Literal["now", "convert", "add", "subtract", "difference", "format"]


@value
class DateTimeArguments:
    """What to do, with which time."""

    action: Action = field(default="now", metadata={"description": "What to do."})
    time: str | None = field(
        default=None,
        metadata={"description": 'A time such as "2026-11-30T17:50". Default: now.', "max_length": 100},
    )
    end: str | None = field(
        default=None,
        metadata={"description": 'For "difference": the other time.', "max_length": 100},
    )
    duration: str | None = field(
        default=None,
        metadata={"description": 'For "add" and "subtract": such as "3 days 2 hours".', "max_length": 100},
    )
    time_zone: str | None = field(
        default=None,
        metadata={"description": 'The zone of the time, such as "Asia/Shanghai".', "max_length": 100},
    )
    to_time_zone: str | None = field(
        default=None,
        metadata={"description": 'For "convert": the zone wanted.', "max_length": 100},
    )
    format: str | None = field(
        default=None,
        metadata={"description": 'For "format": such as "%Y-%m-%d %H:%M".', "max_length": 200},
    )
