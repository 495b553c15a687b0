"""What a request costs, and the most it can cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agentctl.domain.message import Usage
from agentctl.domain.model import Model
from agentctl.models.pricing import affordable_output, cost, worst_cost

MODEL = Model("m", "p", "m", input_price=2.0, output_price=10.0, cached_input_price=0.5)


@pytest.mark.parametrize(
    ("usage", "usd"),
    [
        (Usage(1_000_000, 0), 2.0),
        (Usage(0, 1_000_000), 10.0),
        (Usage(1_000_000, 0, cached=400_000), 1.4),
        (Usage(1_000_000, 0, cache_write=1_000_000), 2.5),
        (Usage(1_000_000, 0, cached=400_000, cache_write=100_000), 1.45),
        (Usage(100, 50, reasoning=40), 0.0007),
        (Usage(1, 1), 0.000012),
        (Usage(), 0.0),
        # Servers that count cached tokens beside the others must not make the rest negative.
        (Usage(10, 0, cached=1_000_000), 0.5),
    ],
)
def test_each_kind_of_token_has_its_price_and_reasoning_is_output(usage: Usage, usd: float) -> None:
    assert cost(MODEL, usage) == usd


def test_cached_tokens_without_a_price_of_their_own_cost_as_much_as_others() -> None:
    model = replace(MODEL, cached_input_price=None)
    assert cost(model, Usage(1_000_000, 0, cached=1_000_000)) == 2.0


def test_a_cached_price_of_zero_is_a_price() -> None:
    assert cost(replace(MODEL, cached_input_price=0.0), Usage(1_000_000, 0, cached=1_000_000)) == 0.0


@pytest.mark.parametrize("model", [replace(MODEL, input_price=None), replace(MODEL, output_price=None)])
def test_an_unknown_price_is_unknown_and_never_zero(model: Model) -> None:
    assert cost(model, Usage(10, 10)) is None
    assert cost(model, Usage()) is None
    assert worst_cost(model, 10, 10) is None
    assert affordable_output(model, 10, 10, 1.0) is None


def test_an_answer_of_unknown_size_is_free_only_where_everything_is() -> None:
    assert cost(MODEL, None) is None
    assert cost(replace(MODEL, input_price=0.0), None) is None
    assert cost(replace(MODEL, input_price=0.0, output_price=0.0), None) == 0.0


def test_the_worst_case_holds_for_an_estimate_that_is_a_fifth_too_low_and_all_stored() -> None:
    worst = worst_cost(MODEL, 1000, 500)
    assert worst == 0.008
    real = cost(MODEL, Usage(1200, 500, cache_write=1200))
    assert real is not None
    assert real <= worst


@pytest.mark.parametrize("amount", [0.003, 0.0031, 0.00801, 1.0, 0.1 + 0.2])
def test_what_is_affordable_costs_no_more_than_the_amount(amount: float) -> None:
    tokens = affordable_output(MODEL, 1000, 1_000_000, amount)
    assert tokens is not None
    worst, next_worst = worst_cost(MODEL, 1000, tokens), worst_cost(MODEL, 1000, tokens + 1)
    assert worst is not None
    assert next_worst is not None
    assert worst <= round(amount, 9) < next_worst


def test_no_more_is_afforded_than_is_wanted_and_nothing_where_the_input_costs_too_much() -> None:
    assert affordable_output(MODEL, 1000, 20, 1.0) == 20
    assert affordable_output(replace(MODEL, output_price=0.0), 1000, 20, 0.003) == 20
    assert affordable_output(MODEL, 1000, 20, 0.003) == 0
    assert affordable_output(MODEL, 1000, 20, 0.0029) is None
