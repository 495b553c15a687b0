"""Dates and times as a model asks for them."""

from __future__ import annotations

import time
from typing import Any

import pytest


def moment(call: Any, text: str, **more: Any) -> str:
    """The time that the tool reads in `text`, in Shanghai."""
    result = call("datetime", time=text, **more)
    assert result.success, result.error
    return str(result.data["time"])


def test_now_is_now_in_the_users_zone(call: Any) -> None:
    data = call("datetime").data
    assert abs(data["unix"] - time.time()) < 60
    assert data["time"].endswith("+08:00")
    assert data["time_zone"] == "Asia/Shanghai"


def test_now_in_another_zone(call: Any) -> None:
    data = call("datetime", action="now", time_zone="Asia/Tokyo").data
    assert data["time"].endswith("+09:00")
    assert data["time_zone"] == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2026-11-30", "2026-11-30T00:00:00+08:00"),
        ("20261130", "2026-11-30T00:00:00+08:00"),
        ("2026-11-30T17:50", "2026-11-30T17:50:00+08:00"),
        ("2026-11-30 17:50:09", "2026-11-30T17:50:09+08:00"),
        ("2026-11-30T09:50:00Z", "2026-11-30T17:50:00+08:00"),
        ("2026-11-30T17:50:00+01:00", "2026-12-01T00:50:00+08:00"),
        ("2026-11-30t17:50:00.123", "2026-11-30T17:50:00.123+08:00"),
        ("2026/11/30 17:50", "2026-11-30T17:50:00+08:00"),
        ("2026/1/2", "2026-01-02T00:00:00+08:00"),
        ("2026-11-30 5:50 pm", "2026-11-30T17:50:00+08:00"),
        ("2026-11-30, 12 am", "2026-11-30T00:00:00+08:00"),
        ("2026年11月30日", "2026-11-30T00:00:00+08:00"),
        ("2026年11月30日 17:50", "2026-11-30T17:50:00+08:00"),
        ("2026年11月30日下午5点半", "2026-11-30T17:30:00+08:00"),
        ("2026年1月2日17时50分9秒", "2026-01-02T17:50:09+08:00"),
        ("2026年1月2日上午9点", "2026-01-02T09:00:00+08:00"),
        ("1796000000", "2026-11-30T08:53:20+08:00"),
        ("1796000000123", "2026-11-30T08:53:20.123+08:00"),
    ],
)
def test_times_are_read_as_people_write_them(call: Any, text: str, read: str) -> None:
    assert moment(call, text) == read


def test_days_and_times_alone_are_those_of_today(call: Any) -> None:
    today = call("datetime", action="format", format="%Y-%m-%d").data["text"]
    tomorrow = call("datetime", action="add", time=today, duration="1 day").data["time"][:10]
    assert moment(call, "17:50") in (f"{today}T17:50:00+08:00", f"{tomorrow}T17:50:00+08:00")
    assert moment(call, "today")[10:] == "T00:00:00+08:00"
    assert moment(call, "明天下午3点") >= f"{tomorrow}T15:00:00+08:00"
    assert moment(call, "yesterday") < moment(call, "现在") < moment(call, "tomorrow 9:00")


@pytest.mark.parametrize(
    "text", ["hello", "5", "2026-13-01", "2026-02-30", "25:00", "12:61", "13 pm", "30.11.2026"]
)
def test_what_is_no_time_is_named(call: Any, text: str) -> None:
    assert call("datetime", time=text).error.startswith(
        f'"{text}" is no time that can be read; write it like 2026-'
    )


def test_a_time_moves_to_another_zone(call: Any) -> None:
    data = call("datetime", action="convert", time="2026-11-30 12:00", to_time_zone="America/New_York").data
    assert data["time"] == "2026-11-29T23:00:00-05:00"
    assert data["weekday"] == "Sunday"


@pytest.mark.parametrize(
    ("zone", "hint"),
    [
        ("Asia/Beijing", '(did you mean "Asia/Shanghai"?)'),
        ("shanghai", '(did you mean "Asia/Shanghai"?)'),
        ("New York", '(did you mean "America/New_York"?)'),
        ("Europe/Berln", '(did you mean "Europe/Berlin"?)'),
        ("../../etc/passwd", "IANA name"),
        ("/etc/passwd", "IANA name"),
        ("Asia", "IANA name"),
        ("é", "IANA name"),
        ("+99:00", "write it like +08:00"),
    ],
)
def test_an_unknown_zone_is_an_error_that_helps(call: Any, zone: str, hint: str) -> None:
    result = call("datetime", time_zone=zone)
    assert not result.success
    assert hint in result.error


@pytest.mark.parametrize(
    ("zone", "offset"), [("UTC", "+00:00"), ("UTC+8", "+08:00"), ("-05:30", "-05:30"), ("z", "+00:00")]
)
def test_fixed_offsets_are_zones(call: Any, zone: str, offset: str) -> None:
    assert moment(call, "2026-11-30", time_zone=zone) == f"2026-11-30T00:00:00{offset}"


@pytest.mark.parametrize(
    ("duration", "sum_", "difference"),
    [
        ("10 days", "2026-02-10T12:00:00", "2026-01-21T12:00:00"),
        ("1d 2h 30m", "2026-02-01T14:30:00", "2026-01-30T09:30:00"),
        ("1 day and 2 hours", "2026-02-01T14:00:00", "2026-01-30T10:00:00"),
        ("-3 weeks", "2026-01-10T12:00:00", "2026-02-21T12:00:00"),
        ("1 month", "2026-02-28T12:00:00", "2025-12-31T12:00:00"),
        ("P1Y2M3DT4H5M6S", "2027-04-03T16:05:06", "2024-11-27T07:54:54"),
        ("PT90M", "2026-01-31T13:30:00", "2026-01-31T10:30:00"),
        ("1.5 days", "2026-02-02T00:00:00", "2026-01-30T00:00:00"),
        ("3天2小时", "2026-02-03T14:00:00", "2026-01-28T10:00:00"),
        ("1个月", "2026-02-28T12:00:00", "2025-12-31T12:00:00"),
        ("1小时30分钟", "2026-01-31T13:30:00", "2026-01-31T10:30:00"),
    ],
)
def test_durations_are_added_and_subtracted(call: Any, duration: str, sum_: str, difference: str) -> None:
    start = "2026-01-31 12:00"
    assert call("datetime", action="add", time=start, duration=duration).data["time"] == f"{sum_}+08:00"
    assert (
        call("datetime", action="subtract", time=start, duration=duration).data["time"]
        == f"{difference}+08:00"
    )


@pytest.mark.parametrize(
    "duration", ["banana", "1", "P", "PT", "P1.2.3D", "5 lightyears", "1e400 days", "1.5 months"]
)
def test_what_is_no_duration_is_named(call: Any, duration: str) -> None:
    result = call("datetime", action="add", duration=duration)
    assert not result.success
    assert "is no duration" in result.error or "no fixed length" in result.error


def test_a_day_on_the_calendar_is_not_always_24_hours(call: Any) -> None:
    start = {"time": "2026-03-07 12:00", "time_zone": "America/New_York"}
    assert (
        call("datetime", action="add", duration="1 day", **start).data["time"] == "2026-03-08T12:00:00-04:00"
    )
    assert (
        call("datetime", action="add", duration="24 h", **start).data["time"] == "2026-03-08T13:00:00-04:00"
    )


def test_a_difference_has_seconds_days_and_words(call: Any) -> None:
    data = call("datetime", action="difference", time="2026-11-30", end="2026-12-25").data
    assert (data["seconds"], data["days"], data["text"]) == (2_160_000, 25, "25 days later")
    data = call("datetime", action="difference", time="2026-12-25", end="2026-12-24 22:58:59").data
    assert data["text"] == "1 hour 1 minute 1 second earlier"


def test_a_difference_across_the_change_of_clocks_counts_real_hours(call: Any) -> None:
    times = {"time": "2026-03-08", "end": "2026-03-09", "time_zone": "America/New_York"}
    assert call("datetime", action="difference", **times).data["seconds"] == 23 * 3600


def test_a_format_is_filled_in(call: Any) -> None:
    result = call("datetime", action="format", time="2026-11-30 17:50", format="%Y年%m月%d日 %A %H:%M 100%%")
    assert result.data == {"text": "2026年11月30日 Monday 17:50 100%"}


@pytest.mark.parametrize("pattern", ["%999999999Y", "%Q", "100%", "%-d"])
def test_a_format_that_is_not_portable_is_refused(call: Any, pattern: str) -> None:
    assert "is no format" in call("datetime", action="format", time="2026-11-30", format=pattern).error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"action": "convert"}, 'the action "convert" needs "to_time_zone"'),
        ({"action": "add"}, 'the action "add" needs "duration"'),
        ({"action": "difference"}, 'the action "difference" needs "end"'),
        ({"action": "format"}, 'the action "format" needs "format"'),
        ({"action": "add", "duration": "9999999 years"}, "the result lies outside the years 1 to 9999"),
        (
            {"action": "convert", "time": "0001-01-01", "to_time_zone": "America/New_York"},
            "the result lies outside the years 1 to 9999",
        ),
        (
            {"action": "diff"},
            "wrong arguments: action: must be one of now, convert, add, subtract, difference, format, not",
        ),
    ],
)
def test_what_is_missing_or_impossible_is_said(call: Any, arguments: dict[str, Any], message: str) -> None:
    assert call("datetime", **arguments).error.startswith(message)
