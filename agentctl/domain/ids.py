"""Identifiers, the clock and chance: the one place where they come from."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentctl.domain.source import Source

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SOURCE: ContextVar[Source | None] = ContextVar("source", default=None)


@contextmanager
def drawn_from(source: Source) -> Iterator[None]:
    """Take clock, ids and chance from `source` within this block, and in tasks that are started in it."""
    token = _SOURCE.set(source)
    try:
        yield
    finally:
        _SOURCE.reset(token)


def now_ms() -> int:
    """The time in milliseconds since 1970, UTC; in a recorded or replayed run, that of its source."""
    source = _SOURCE.get()
    return clock_ms() if source is None else source.time


def clock_ms() -> int:
    """The time in milliseconds since 1970, UTC, whatever is recorded or replayed."""
    return time.time_ns() // 1_000_000


def chance() -> float:
    """A number from 0 to 1, where only spreading things out matters."""
    return _draw("chance") / 2**64


def has_time() -> bool:
    """Whether waiting is real; a replay waits for nothing."""
    source = _SOURCE.get()
    return source is None or source.waits


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
    random = base36(_draw(prefix) % 36**8).rjust(8, "0")
    return f"{prefix}_{base36(now_ms())}_{random}"


def rfc3339(milliseconds: int) -> str:
    """`2026-11-30T17:50:20.123Z` for a time in milliseconds."""
    seconds, rest = divmod(milliseconds, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03d}Z"


def _draw(purpose: str) -> int:
    """64 random bits."""
    source = _SOURCE.get()
    # Straight from the system: the secrets module takes 7 ms to import, on the path of every command.
    return int.from_bytes(os.urandom(8)) if source is None else source.draw(purpose)
