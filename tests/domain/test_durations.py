"""Durations as people write them."""

from __future__ import annotations

import re

import pytest

from agentctl.domain.durations import PATTERN, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("90s", 90),
        ("5m", 300),
        ("12h", 43_200),
        ("7d", 604_800),
        ("2w", 1_209_600),
        ("1.5m", 90),
        (".5", 0.5),
    ],
)
def test_a_duration_is_a_number_and_a_unit(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds
    assert re.match(PATTERN, text)


@pytest.mark.parametrize(
    "text", ["", "0", "0m", "-1", "d", "7 d", "7D", "1e3", "inf", "nan", "7d\n", "٣", "1234567890"]
)
def test_anything_else_is_none(text: str) -> None:
    assert parse_duration(text) is None
