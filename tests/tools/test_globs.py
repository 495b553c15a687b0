"""Stars in patterns: what they stand for, and that no pattern takes for ever."""

from __future__ import annotations

import pytest

from agentctl.tools.globs import glob_fits


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("", ""),
        ("*", ""),
        ("**", "any/thing\nat all"),
        ("a*b", "ab"),
        ("*a*", "xxaxx"),
        ("src/*.py", "src/main.py"),
        ("src/**", "src/a/b.py"),
        ("**/x", "a/b/x"),
        ("**a**", "bab"),
        ("a.c[1]?", "a.c[1]?"),
        ("*报告*", "年度报告.md"),
        ("**a", "aaa"),
        ("*ab*ab*", "xabyabz"),
    ],
)
def test_a_pattern_fits(pattern: str, text: str) -> None:
    assert glob_fits(pattern, text) is True


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("", "a"),
        ("a", "ab"),
        ("a", "ba"),
        ("*", "a/b"),
        ("src/*.py", "src/a/b.py"),
        ("a.c", "abc"),
        ("a*a", "a"),
        ("*ab*ab*", "xab"),
        ("**x", "xy"),
    ],
)
def test_a_pattern_does_not_fit(pattern: str, text: str) -> None:
    assert glob_fits(pattern, text) is False


def test_a_long_text_is_searched_at_once() -> None:
    assert glob_fits("**password**", "a/b" * 1_000_000 + "password") is True


def test_what_takes_too_long_cannot_be_told() -> None:
    assert glob_fits("*a" * 30 + "b", "a" * 1_000_000) is None
