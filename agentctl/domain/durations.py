"""Durations as people write them: `90`, `90s`, `5m`, `12h`, `7d`, `2w`."""

from __future__ import annotations

import re

UNITS = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
# The same for an editor, as a JSON Schema has it.
PATTERN = "^([0-9]{1,9}([.][0-9]{1,9})?|[.][0-9]{1,9})[smhdw]?$"
_WRITTEN = re.compile(PATTERN)


def parse_duration(text: str) -> float | None:
    """Seconds, always above 0; None where `text` is no such duration. A bare number is seconds."""
    if not _WRITTEN.match(text) or text.endswith("\n"):
        return None
    unit = text[-1] if text[-1] in UNITS else ""
    seconds = float(text.removesuffix(unit)) * UNITS[unit]
    return seconds or None


def write_duration(seconds: float) -> str:
    """A text that `parse_duration` reads as these seconds, in the largest unit that has no rest."""
    unit = next(unit for unit in ("w", "d", "h", "m", "s") if unit == "s" or seconds % UNITS[unit] == 0)
    return f"{seconds / UNITS[unit]:.9f}".rstrip("0").rstrip(".") + unit
