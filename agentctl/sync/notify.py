"""What `notify` in YAML may be: the words of a program that is told of calls that wait for a person."""

from __future__ import annotations

from typing import Any

from agentctl.sync.kinds import TEXT, Kind, describe


def _check(value: Any) -> str | None:
    if not isinstance(value, list):
        return f"expected a list of words, [program, argument], got {describe(value)}"
    program = value[0] if value else "none"
    if not isinstance(program, str):
        return None  # said of the item itself
    if not program.strip():
        return "the first word names no program"
    # A run may begin in any folder, and others may write there.
    if "/" in program and not program.startswith("/"):
        return f"{describe(program)} depends on the folder: write the whole path, or a name on PATH"
    return None


NOTIFY = Kind(_check, {"type": "array", "items": TEXT.schema}, TEXT)
