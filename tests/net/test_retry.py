from __future__ import annotations

from typing import Any

import pytest

from agentctl.net.retry import choose_delay, find_retry_after, is_retryable

NOW = 1_800_000_000.0


def wait(headers: dict[str, str] | None = None, body: Any = None) -> float | None:
    return find_retry_after(headers or {}, body, now=NOW)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_these_statuses_may_go_away_by_themselves(status: int) -> None:
    assert is_retryable(status)


@pytest.mark.parametrize("status", [200, 301, 400, 401, 402, 403, 404, 413, 422, 600])
def test_these_statuses_stay(status: int) -> None:
    assert not is_retryable(status)


def test_milliseconds_beat_seconds_and_both_beat_the_body() -> None:
    headers = {"retry-after-ms": "1500", "retry-after": "7"}
    assert wait(headers, {"retry_after": 9}) == 1.5
    assert wait({"retry-after": "7"}, {"retry_after": 9}) == 7
    assert wait({}, {"retry_after": 9}) == 9


def test_a_date_is_counted_from_now_and_never_negative() -> None:
    assert wait({"retry-after": "Fri, 15 Jan 2027 08:00:30 GMT"}) == 30
    assert wait({"retry-after": "Fri, 15 Jan 2027 07:00:00 GMT"}) == 0


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        ({"error": {"retry_after": 2.5}}, 2.5),
        ([{"error": {"details": [{"@type": "RetryInfo", "retryDelay": "37s"}]}}], 37),
        ({"retry_after": "12"}, 12),
        ({"error": "text"}, None),
        ({"retry_after": True}, None),
        ("text", None),
        ([], None),
    ],
)
def test_a_body_may_say_how_long(body: Any, seconds: float | None) -> None:
    assert wait({}, body) == seconds


@pytest.mark.parametrize("value", ["", "soon", "-3", "nan", "inf", "9" * 400, "Fri, 99 Foo"])
def test_a_senseless_wish_is_none(value: str) -> None:
    assert wait({"retry-after": value}) is None


def test_a_senseless_header_does_not_hide_the_body() -> None:
    assert wait({"retry-after": "soon"}, {"retry_after": 4}) == 4


def test_the_delay_doubles_up_to_a_bound_and_jitter_only_adds() -> None:
    assert [choose_delay(attempt, None, 0) for attempt in (1, 2, 3, 9)] == [0.5, 1, 2, 8]
    assert choose_delay(1, None, 1) == 0.625


def test_the_wish_of_the_server_is_a_lower_bound() -> None:
    assert choose_delay(1, 10, 0) == 10
    assert 10 < (choose_delay(1, 10, 1) or 0) < 11


def test_more_than_a_minute_is_not_worth_the_wait() -> None:
    assert choose_delay(1, 60, 0) == 60
    assert choose_delay(1, 60.5, 0) is None
