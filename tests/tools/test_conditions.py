"""Conditions that are refused before a rule is kept, because they never hold or hold too often."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.tools.conditions import check_condition


@pytest.mark.parametrize(
    "condition",
    [
        "a*",
        "",
        5,
        1.5,
        False,
        {"re": "(?i)a|b"},
        {"lt": 5, "gte": 1.5},
        ["a", {"re": "b"}, 5],
        "https://*/**",
        "https://**",
        "https://*.example/**",
        "https://docs.example:*/**",
        "*://docs.example/**",
        "./src//**",
    ],
)
def test_a_good_condition(condition: Any) -> None:
    assert check_condition(condition, allows=True) is None


@pytest.mark.parametrize(
    ("condition", "fault"),
    [
        (None, "a condition is text"),
        ([], "an empty list never holds"),
        ({}, "an empty mapping is no condition"),
        ({"regex": "a"}, "regex is no condition: use re, lt, lte, gt or gte"),
        ({"re": "("}, "re: no regular expression: missing )"),
        ({"re": 5}, "re: expected a regular expression"),
        ({"lt": "5"}, "lt: needs a number"),
        ({"lt": True}, "lt: needs a number"),
        ({"gt": float("inf")}, "gt: needs a number"),
        (["a", {"lt": None}], "lt: needs a number"),
        ("/a/../b", "`..` never matches"),
        ("https://h.example/../b", "`..` never matches"),
        ("https://h.example**", "`**` in a host would match paths of other hosts"),
        ("https://**.example/x", "`**` in a host would match paths of other hosts"),
        ("https://h.example*/**", "`h.example*` ends in a star, so it would allow other hosts"),
        ("https://a b/", "this is no host name"),
        ("x" * 5_000, "at most 4,000 characters"),
    ],
)
def test_a_bad_condition_says_what_is_wrong(condition: Any, fault: str) -> None:
    assert fault in (check_condition(condition, allows=True) or "")


def test_a_rule_that_forbids_may_be_wide() -> None:
    assert check_condition("https://evil*/**", allows=False) is None
