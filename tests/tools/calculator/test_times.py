"""Times and percentages as people write them, beside `%` as the remainder."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.tools.calculator.evaluation import calculate
from agentctl.tools.calculator.times import BY_WORD
from agentctl.tools.failure import ToolError

VALUES = {
    "3h 20m + 45 min": "4 h 5 min",
    "3h20m": "3 h 20 min",
    "3 hours 20 minutes 5 seconds": "3 h 20 min 5 s",
    "90 min in h": "1.5 h",
    "2 days in hours": "48 h",
    "1.5h to minutes": "90 min",
    "24 h in days": "1 day",
    "1e3 s": "16 min 40 s",
    "100h": "4 days 4 h",
    "1 week": "7 days",
    "250 ms * 4": "1 s",
    "1500 ms in s": "1.5 s",
    "0 h": "0 s",
    "2h * 3": "6 h",
    "3 * 2h": "6 h",
    "3h / 2": "1 h 30 min",
    "(1/2) h": "30 min",
    "(1/3) h": "20 min",
    "3h / 45min": "4",
    "10h // 3h": "3",
    "10h % 3h": "1 h",
    "10% of 3h": "18 min",
    "3h + 10%": "3 h 18 min",
    "1h - 90min": "-30 min",
    "-90s": "-(1 min 30 s)",
    "max(1h, 70min)": "1 h 10 min",
    "sum(1h, 30m, 5s)": "1 h 30 min 5 s",
    "mean(1h, 2h)": "1 h 30 min",
    "3小时20分 + 45分钟": "4 h 5 min",
    "2天 in 小时": "48 h",
    "２ｈ": "2 h",
    "20% of 150": "30",
    "20 percent of 150": "30",
    "150 + 20%": "180",
    "30 / 120 in %": "25%",
    "1/3 in %": "33.333333333333333333%",
    "7 % 3": "1",
    "7%3": "1",
    "min(3, 2)": "2",
    "2 + min(3, 2)": "4",
    "10 min": "10 min",
}


@pytest.mark.parametrize("expression", VALUES)
def test_a_time_or_percentage_has_its_value(expression: str) -> None:
    assert calculate(expression) == VALUES[expression]


@pytest.mark.parametrize("word", BY_WORD)
def test_every_word_for_a_unit_is_understood(word: str) -> None:
    assert calculate(f"6{word} / 2 {word}") == "3"
    assert calculate(f"5 {word} in {word}").startswith("5 ")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("5 + 3h", r'"\+" needs two times or two numbers; a number needs a unit, such as 5 min'),
        ("3h - 5", '"-" needs two times'),
        ("2h * 3h", "a time cannot be multiplied by a time"),
        ("1/2 h", r"write \(1/2\) h for half an hour"),
        ("5 in h", "a number without a unit cannot be given in h"),
        ("2h in %", "a percentage needs numbers, not times"),
        ("2h in", '"in" is followed by "%" or a unit of time'),
        ("2h in meters", '"in" is followed by "%" or a unit of time'),
        ("sqrt(4h)", "sqrt needs numbers, not times"),
        ("max(1h, 5)", "max needs numbers, not times"),
        ("2h ^ 2", "a power needs numbers, not times"),
        ("(2h)!", "needs numbers, not times"),
        ("(2h) min", "a unit needs numbers, not times"),
        ("1h 30", "an operator is missing before"),
        ("3 months", "an operator is missing before"),
        ("1h in min in s", "an operator is missing before"),
        ("1h / 0", "division by zero"),
        ("1h % 0s", "division by zero"),
        ("9**9**9 h", "a power needs numbers, not times"),
    ],
)
def test_what_makes_no_sense_says_why(expression: str, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        calculate(expression)


def test_a_model_gets_a_time_as_text(call: Any) -> None:
    result = call("calculator", expression="3h 20m + 45 min")
    assert result.data == {"expression": "3h 20m + 45 min", "result": "4 h 5 min"}
