"""What the tool `datetime` can do, one function an action."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from typing import Any

from agentctl.tools.base import ToolError
from agentctl.tools.datetime.arguments import DateTimeArguments
from agentctl.tools.datetime.durations import add, parse_duration, spell
from agentctl.tools.datetime.times import now, parse_time
from agentctl.tools.datetime.zones import find_zone, zone_name

# The directives that mean the same everywhere; a width such as %999999999Y costs memory and is none of them.
_FORMAT = re.compile(r"(?:[^%]|%[aAbBdHIjmMpSfuUVwWyYGzZ%])*")


def perform(request: DateTimeArguments, default_zone: str) -> dict[str, Any]:
    """The result of one request; times without a zone are in the request's, else in `default_zone`.

    Raises ToolError for what cannot be read and for what the action lacks.
    """
    zone = find_zone(request.time_zone or default_zone)
    start = parse_time(request.time, zone) if request.time else now(zone)
    if request.action == "difference":
        return _difference(start, request, zone)
    if request.action in ("add", "subtract"):
        duration = parse_duration(_need(request.duration, request.action, "duration"))
        start = add(start, duration, 1 if request.action == "add" else -1)
    elif request.action == "convert":
        start = _move(start, find_zone(_need(request.to_time_zone, "convert", "to_time_zone")))
    elif request.action == "format":
        return {"text": _format(start, _need(request.format, "format", "format"))}
    elif request.time:
        start = _move(start, zone)
    return describe(start)


def describe(moment: datetime) -> dict[str, Any]:
    """A moment as an object: RFC 3339, zone, weekday, seconds since 1970."""
    return {
        "time": moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds"),
        "time_zone": zone_name(moment.tzinfo),
        "weekday": moment.strftime("%A"),
        "unix": int(moment.timestamp()),
    }


def _difference(start: datetime, request: DateTimeArguments, zone: tzinfo) -> dict[str, Any]:
    end = parse_time(_need(request.end, "difference", "end"), zone)
    seconds = end.timestamp() - start.timestamp()
    direction = "later" if seconds >= 0 else "earlier"
    return {
        "from": start.isoformat(),
        "to": end.isoformat(),
        "seconds": _short(seconds, 3),
        "days": _short(seconds / 86_400, 6),
        "text": f"{spell(seconds)} {direction}",
    }


def _format(moment: datetime, pattern: str) -> str:
    if not _FORMAT.fullmatch(pattern):
        raise ToolError(f'"{pattern[:60]}" is no format; use directives such as %Y-%m-%d %H:%M:%S %A')
    return moment.strftime(pattern)


def _move(moment: datetime, zone: tzinfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:
        raise ToolError("the result lies outside the years 1 to 9999") from None


def _short(number: float, places: int) -> float:
    """Rounded, and without a point where it is whole."""
    return int(number) if number.is_integer() else round(number, places)


def _need(value: str | None, action: str, name: str) -> str:
    if not value:
        raise ToolError(f'the action "{action}" needs "{name}"')
    return value
