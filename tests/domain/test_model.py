from __future__ import annotations

import pytest

from agentctl.domain.model import Model

DECLARED = Model("m", "p", "m", max_output_tokens=100)
ASSUMED = Model("m", "p", "m", max_output_tokens=100, assumed=frozenset({"max_output_tokens"}))
UNKNOWN = Model("m", "p", "m")


@pytest.mark.parametrize(
    ("model", "limits", "sent"),
    [
        (DECLARED, (), 100),
        (DECLARED, (None, 50), 50),
        (DECLARED, (200,), 100),
        (ASSUMED, (), None),
        (ASSUMED, (100, None), None),
        (ASSUMED, (200,), None),
        (ASSUMED, (99, 200), 99),
        (UNKNOWN, (), None),
        (UNKNOWN, (7, 8), 7),
    ],
)
def test_a_limit_is_sent_where_the_model_would_not_keep_to_it_by_itself(
    model: Model, limits: tuple[int | None, ...], sent: int | None
) -> None:
    assert model.output_limit(*limits) == sent


def test_an_option_may_stand_above_what_is_declared() -> None:
    assert DECLARED.output_limit(200, declared=False) == 200
    assert DECLARED.output_limit(declared=False) is None
