"""Identifiers and the clock: the one place where both come from."""

from __future__ import annotations

import os
import time

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def now_ms() -> int:
    """The time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def base36(number: int) -> str:
    """`number` (not negative) in base 36."""
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
        if not number:
            return digits


def new_id(prefix: str) -> str:
    """`<prefix>_<milliseconds in base 36>_<8 random characters>`, e.g. `as_mgz1x2ab_4f7k2m9q`."""
    # Straight from the system: the secrets module takes 7 ms to import, on the path of every command.
    random = base36(int.from_bytes(os.urandom(8)) % 36**8).rjust(8, "0")
    return f"{prefix}_{base36(now_ms())}_{random}"


def rfc3339(milliseconds: int) -> str:
    """`2026-11-30T17:50:20.123Z` for a time in milliseconds."""
    seconds, rest = divmod(milliseconds, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03d}Z"
