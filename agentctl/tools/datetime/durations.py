"""Durations as people write them, and their sum with a time."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta

from agentctl.domain.value import value
from agentctl.tools.base import ToolError

_UNITS = {
    "years": ("y", "yr", "yrs", "year", "years", "年"),
    "months": ("mo", "mon", "month", "months", "个月", "月"),
    "weeks": ("w", "wk", "week", "weeks", "周", "个星期", "星期"),
    "days": ("d", "day", "days", "天", "日"),
    "hours": ("h", "hr", "hrs", "hour", "hours", "小时", "个小时"),
    "minutes": ("m", "min", "mins", "minute", "minutes", "分钟", "分"),
    "seconds": ("s", "sec", "secs", "second", "seconds", "秒", "秒钟"),
}
_BY_WORD = {word: unit for unit, words in _UNITS.items() for word in words}
_PART = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)\s*([a-z]+|[\u4e00-\u9fff]{1,3})[\s,]*(?:and\s+)?")
_ISO = re.compile(
    r"P(?:([0-9.]+)Y)?(?:([0-9.]+)M)?(?:([0-9.]+)W)?(?:([0-9.]+)D)?"
    r"(?:T(?:([0-9.]+)H)?(?:([0-9.]+)M)?(?:([0-9.]+)S)?)?",
    re.IGNORECASE,
)


@value
class Duration:
    """Months and days count on the calendar, seconds on the clock: they differ when summer time begins."""

    months: int = 0
    days: int = 0
    seconds: float = 0.0


def parse_duration(text: str) -> Duration:
    """`1d 2h`, `90 minutes`, `-3 weeks`, `P1DT2H`, `3天2小时`. Raises ToolError for anything else."""
    rest = text.strip().lower()
    negative = rest.startswith("-")
    rest = rest.lstrip("+-").strip()
    amounts = _read_iso(rest) or _read_words(rest)
    if not amounts:
        raise ToolError(f'"{text[:60]}" is no duration; write it like "1d 2h 30m", "3 weeks" or "P1DT2H"')
    sign = -1 if negative else 1
    months = amounts.get("years", 0.0) * 12 + amounts.get("months", 0.0)
    days = amounts.get("weeks", 0.0) * 7 + amounts.get("days", 0.0)
    seconds = (
        amounts.get("hours", 0.0) * 3600 + amounts.get("minutes", 0.0) * 60 + amounts.get("seconds", 0.0)
    )
    if months != int(months):
        raise ToolError("parts of a month have no fixed length; use days")
    seconds += (days - int(days)) * 86_400
    return Duration(sign * int(months), sign * int(days), sign * seconds)


def add(start: datetime, duration: Duration, sign: int = 1) -> datetime:
    """`start` (with a zone) plus or minus a duration, in the same zone. The 31st becomes the last of a month.

    Raises ToolError when the result lies outside the years 1 to 9999.
    """
    try:
        month = start.year * 12 + start.month - 1 + sign * duration.months
        year, month = month // 12, month % 12 + 1
        day = min(start.day, monthrange(year, month)[1])
        moved = start.replace(year=year, month=month, day=day) + timedelta(days=sign * duration.days)
        return (moved.astimezone(UTC) + timedelta(seconds=sign * duration.seconds)).astimezone(start.tzinfo)
    except (OverflowError, ValueError):
        raise ToolError("the result lies outside the years 1 to 9999") from None


def spell(seconds: float) -> str:
    """`2 days 3 hours 5 seconds`, the sign left out."""
    rest, parts = round(abs(seconds)), []
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count} {unit}{'' if count == 1 else 's'}")
    return " ".join(parts) or "0 seconds"


def _read_words(text: str) -> dict[str, float]:
    amounts: dict[str, float] = {}
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        unit = _BY_WORD.get(match[2]) if match else None
        if match is None or unit is None:
            return {}
        amounts[unit] = amounts.get(unit, 0.0) + float(match[1])
        at = match.end()
    return amounts


def _read_iso(text: str) -> dict[str, float]:
    match = _ISO.fullmatch(text)
    if match is None:
        return {}
    try:
        return {unit: float(value) for unit, value in zip(_UNITS, match.groups(), strict=True) if value}
    except ValueError:
        return {}
