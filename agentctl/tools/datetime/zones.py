"""Finds a time zone by the name that a person or a model gives it."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, available_timezones

from agentctl.errors import did_you_mean
from agentctl.tools.base import ToolError

_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])([0-9]{1,2})(?::?([0-9]{2}))?", re.IGNORECASE)
_CAPITALS = {"asia/beijing": "Asia/Shanghai", "beijing": "Asia/Shanghai"}  # written often, in no database


def find_zone(name: str) -> tzinfo:
    """The zone with this IANA name or fixed offset (`+08:00`, `UTC+8`).

    Raises ToolError, with the closest known name, for any other.
    """
    name = name.strip()
    if name.upper() in ("UTC", "GMT", "Z"):
        return UTC
    if match := _OFFSET.fullmatch(name):
        return _fixed(match)
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # a folder such as "Asia" is an OSError, "../x" a ValueError
        raise _unknown(name) from None


def zone_name(zone: tzinfo | None) -> str:
    """The name under which `find_zone` finds it again."""
    return zone.key if isinstance(zone, ZoneInfo) else str(zone)


def _fixed(match: re.Match[str]) -> tzinfo:
    offset = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    if offset >= timedelta(hours=24):
        raise ToolError(f'"{match[0]}" is no offset from UTC; write it like +08:00')
    return timezone(-offset if match[1] == "-" else offset)


def _unknown(name: str) -> ToolError:
    known = available_timezones()
    if not known:
        return ToolError(
            "this system has no time zone database; install the package tzdata, or use offsets like +08:00"
        )
    low = name.lower()
    cities = {zone.rpartition("/")[2].lower(): zone for zone in sorted(known)}
    exact = _CAPITALS.get(low) or cities.get(low.rpartition("/")[2].replace(" ", "_"))
    hint = f' (did you mean "{exact}"?)' if exact else did_you_mean(name, known)
    return ToolError(f'unknown time zone "{name[:60]}"{hint}; use an IANA name such as Asia/Shanghai')
