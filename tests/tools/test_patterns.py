"""A text is matched as a whole, and no pattern can hold up the rest."""

from __future__ import annotations

import asyncio

import pytest

from agentctl.tools.patterns import fits


@pytest.mark.parametrize(
    ("pattern", "text", "whole"),
    [
        ("[a-z]+", "abc", True),
        ("[a-z]+", "abc\n", False),
        ("^[a-z]+$", "abc\n", False),
        ("[a-z]+", "abc; rm", False),
        (r"[a-z]+(\.[a-z]+)*", "www.example.com", True),
        (r"[a-z]+(\.[a-z]+)*", "www..com", False),
        ("a|b", "ab", False),
        ("[一-龥]{2,4}", "北京", True),
    ],
)
def test_only_a_match_of_the_whole_text_counts(pattern: str, text: str, whole: bool) -> None:
    assert fits(pattern, text) is whole


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", "(a?){40}a{40}b"])
def test_a_pattern_that_would_take_for_ever_is_no_match(pattern: str) -> None:
    assert fits(pattern, "a" * 40) is False


def test_a_pattern_can_be_tried_while_a_loop_runs() -> None:
    async def inside() -> bool:
        return fits("(a+)+b", "aab")

    assert asyncio.run(inside()) is True
