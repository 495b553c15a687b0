"""Reads a point in time from the ways people write one."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from agentctl.domain.ids import now_ms
from agentctl.tools.base import ToolError

_DAYS = {
    "today": 0,
    "tomorrow": 1,
    "yesterday": -1,
    "今天": 0,
    "前天": -2,
    "后天": 2,
    "明天": 1,
    "昨天": -1,
}
_TIME = re.compile(
    rf"""(?: (?P<year>[0-9]{{4}}) [-/.年] (?P<month>[0-9]{{1,2}}) [-/.月] (?P<day>[0-9]{{1,2}}) [日号]?
           | (?P<word>{"|".join(_DAYS)}) )?
         [\s,t]*
         (?: (?P<late>下午|晚上|中午)? (?:上午|早上|凌晨)? \s* (?P<hour>[0-9]{{1,2}})
             (?P<marked> [:：点时] (?P<minute>[0-9]{{1,2}}|半)? )?
             (?: [:：分] (?P<second>[0-9]{{1,2}})? )? 秒?
             \s* (?P<half>[ap]\.?m\.?)? )?""",
    re.VERBOSE,
)
_UNIX = re.compile(r"-?[0-9]{9,13}")


def now(zone: tzinfo) -> datetime:
    """The present moment in `zone`, to the millisecond."""
    return datetime.fromtimestamp(now_ms() / 1000, UTC).astimezone(zone)


def parse_time(text: str, zone: tzinfo) -> datetime:
    """A moment, in `zone` unless the text names an offset of its own.

    Takes ISO 8601, `2026/11/30 17:50`, `2026年11月30日下午5点半`, `5:50 pm`, `now`, `tomorrow 9:00`, and Unix
    seconds or milliseconds. A time alone is today's, a day alone its midnight. Raises ToolError for others.
    """
    words = text.strip().lower()
    if words in ("now", "现在"):
        return now(zone)
    if _UNIX.fullmatch(words):
        milliseconds = len(words.lstrip("-")) > 11
        return datetime.fromtimestamp(int(words) / (1000 if milliseconds else 1), UTC).astimezone(zone)
    moment = _read_iso(words) or _read_words(words, zone)
    if moment is None:
        examples = "2026-11-30T17:50, 2026-11-30 or 17:50"
        raise ToolError(f'"{text[:60]}" is no time that can be read; write it like {examples}')
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _read_iso(words: str) -> datetime | None:
    try:
        return datetime.fromisoformat(words.upper())
    except ValueError:
        return None


def _read_words(words: str, zone: tzinfo) -> datetime | None:
    """`[day] [time of day]`, without a zone; None where a part is missing or impossible."""
    match = _TIME.fullmatch(words)
    if match is None or not (match["year"] or match["word"] or match["marked"] or match["half"]):
        return None
    try:
        if match["year"]:
            day = date(int(match["year"]), int(match["month"]), int(match["day"]))
        else:
            day = now(zone).date() + timedelta(days=_DAYS[match["word"] or "today"])
        return datetime.combine(day, _clock(match))
    except ValueError:
        return None


def _clock(match: re.Match[str]) -> time:
    """The time of day in the match, midnight where it has none. Raises ValueError."""
    hour = int(match["hour"] or 0)
    half = match["half"] or ("pm" if match["late"] else "")
    if half and hour > 12 and match["half"]:
        raise ValueError("no such hour")
    if half.startswith("p") and hour < 12:
        hour += 12
    if half.startswith("a") and hour == 12:
        hour = 0
    minute = 30 if match["minute"] == "半" else int(match["minute"] or 0)
    return time(hour, minute, int(match["second"] or 0))
