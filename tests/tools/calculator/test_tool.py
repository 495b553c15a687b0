"""The calculator as a model calls it."""

from __future__ import annotations

import time
from typing import Any

import pytest


def test_a_result_is_the_expression_and_its_value_as_text(call: Any) -> None:
    result = call("calculator", expression="37*91")
    assert result.success
    assert result.data == {"expression": "37*91", "result": "3367"}


def test_an_expression_without_value_is_a_failed_result(call: Any) -> None:
    assert call("calculator", expression="1/0").error == "division by zero"


@pytest.mark.parametrize(
    "bomb",
    [
        "9**9**9",
        "10!!!!",
        "(" * 5_000 + "1" + ")" * 5_000,
        "1+" * 500_000 + "1",
        "+".join(["comb(10^15, 2000)"] * 500),
    ],
)
def test_a_bomb_ends_in_a_clear_error(call: Any, bomb: str) -> None:
    started = time.monotonic()
    result = call("calculator", expression=bomb)
    assert not result.success
    assert result.error
    assert "unexpected" not in result.error
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("arguments", [{}, {"expression": ""}, {"expression": 37}, {"expresion": "1"}])
def test_wrong_arguments_name_the_field(call: Any, arguments: dict[str, Any]) -> None:
    result = call("calculator", **arguments)
    assert result.error.startswith("wrong arguments: ")
    assert "expression" in result.error
