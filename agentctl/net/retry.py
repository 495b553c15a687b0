"""When to try again, and after how long: pure functions over statuses, headers and bodies."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

ATTEMPTS = 3
LONGEST_WAIT = 60.0
FIRST_DELAY = 0.5
LONGEST_DELAY = 8.0
JITTER = 0.25

_SECONDS = r"\s*(\d+(?:\.\d+)?)\s*s?\s*\Z"


def is_retryable(status: int) -> bool:
    """Whether a request that got this HTTP status may do better next time."""
    return status in (408, 409, 429) or 500 <= status <= 599


def find_retry_after(headers: Mapping[str, str], body: Any, *, now: float) -> float | None:
    """Seconds that the server asks to wait, at least 0, or None where it does not say.

    `retry-after-ms` beats `retry-after` (seconds or HTTP date, RFC 9110 section 10.2.3), which beats
    `retry_after` in the body or its `error`, in seconds. `headers` has names in small letters or is
    case-insensitive; `now` is seconds since 1970.
    """
    milliseconds = _read_seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    if value is not None:
        seconds = _read_seconds(value)
        seconds = _read_date(value, now) if seconds is None else seconds
        if seconds is not None:
            return seconds
    return find_in_body(body)


def find_in_body(body: Any) -> float | None:
    """Seconds to wait: `retry_after` of a decoded body or its `error`, or `retryDelay` of a detail."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return None
    seconds = _read_seconds(body.get("retry_after"))
    if seconds is not None:
        return seconds
    details = body.get("details")
    for detail in details if isinstance(details, list) else ():
        seconds = _read_seconds(detail.get("retryDelay")) if isinstance(detail, Mapping) else None
        if seconds is not None:
            return seconds
    inner = body.get("error")
    return find_in_body(inner) if isinstance(inner, Mapping) else None


def choose_delay(attempt: int, retry_after: float | None, chance: float) -> float | None:
    """Seconds to wait after failed attempt number `attempt` (from 1); None means give up.

    The server's wish is a lower bound, so jitter only adds; without one the delay doubles each time.
    `chance` is from 0 to 1. A wish of more than `LONGEST_WAIT` seconds is not worth waiting for.
    """
    backoff = min(FIRST_DELAY * 2.0 ** (attempt - 1), LONGEST_DELAY)
    if retry_after is None:
        return backoff * (1 + JITTER * chance)
    if retry_after > LONGEST_WAIT:
        return None
    return retry_after + backoff * JITTER * chance


def _read_seconds(value: Any) -> float | None:
    """A number, or text that is one (with or without an "s"), if it is finite and not negative."""
    if isinstance(value, str):
        match = re.match(_SECONDS, value)
        value = float(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        seconds = float(value)
    except OverflowError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _read_date(value: str, now: float) -> float | None:
    """Seconds from `now` to an HTTP date, 0 where it has passed."""
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(value).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, moment - now)
