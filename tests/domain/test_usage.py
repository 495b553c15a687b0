"""Sums of money that do not depend on their order, and how an amount is written."""

from __future__ import annotations

import itertools

import pytest

from agentctl.domain.message import Usage
from agentctl.domain.usage import Spent, format_usd, sum_usd


def test_a_sum_is_the_same_in_any_order() -> None:
    amounts = (0.1, 0.2, 0.3, 1e-9, 1234.567_891_234)
    assert {sum_usd(order) for order in itertools.permutations(amounts)} == {1235.167_891_235}


def test_nothing_known_is_none_and_zero_is_known() -> None:
    assert sum_usd((None, None)) is None
    assert sum_usd(()) is None
    assert sum_usd((None, 0.0)) == 0.0


def test_two_sums_are_one() -> None:
    both = Spent(1, Usage(1, 2, 3, 4), 0.1, 0) + Spent(2, Usage(10, 20, 30, 40), 0.2, 1)
    assert both == Spent(3, Usage(11, 22, 33, 44), 0.3, 1)


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0.0, "0.00"),
        (1.0, "1.00"),
        (0.5, "0.50"),
        (0.0123, "0.0123"),
        (1e-05, "0.00001"),
        (3e-09, "0.000000003"),
        (1234.5678912, "1234.567891"),
    ],
)
def test_an_amount_has_two_to_six_decimals_and_never_seems_to_be_nothing(amount: float, text: str) -> None:
    assert format_usd(amount) == text
