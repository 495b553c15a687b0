"""Values are checked against a dataclass, all faults at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from agentctl.tools.checks import check


@dataclass(frozen=True)
class Order:
    """Something with one field of each kind."""

    item: str = field(metadata={"min_length": 1, "max_length": 10, "pattern": "^[a-z]*$"})
    count: int = field(default=1, metadata={"minimum": 1, "maximum": 9})
    price: float = field(default=1.0, metadata={"minimum": 0})
    gift: bool = False
    size: Literal["small", "large"] = "small"
    version: Literal[4, 7] = 4
    tags: list[str] = field(default_factory=list, metadata={"max_items": 2})
    marks: tuple[int, ...] = ()
    note: str | None = None


def faults(lenient: bool = False, **values: Any) -> list[str]:
    """What is wrong with an order."""
    return [str(one) for one in check(Order, {"item": "pen", **values}, lenient=lenient)[1]]


def test_valid_values_become_an_instance() -> None:
    order, wrong = check(Order, {"item": "pen", "count": 2, "tags": ["a"], "marks": [1, 2], "note": None})
    assert order == Order("pen", count=2, tags=["a"], marks=(1, 2))
    assert wrong == []


def test_all_faults_come_at_once_with_their_fields() -> None:
    order, wrong = check(
        Order, {"cuont": 1, "count": 0, "price": "cheap", "size": "lage", "tags": [1, "b", None]}
    )
    assert order is None
    assert wrong == [
        'cuont: unknown (did you mean "count"?)',
        "item: is required",
        "count: must be at least 1, not 0",
        'price: must be a number, not "cheap"',
        'size: must be one of small, large, not "lage" (did you mean "large"?)',
        "tags: item 1 must be text, not 1; item 3 must be text, not null",
    ]
    assert [one.field for one in wrong] == ["cuont", "item", "count", "price", "size", "tags"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"item": ""}, "item: must not be empty"),
        ({"item": "x" * 11}, "item: must have at most 10 characters, not 11"),
        ({"item": "PEN"}, 'item: must match ^[a-z]*$, not "PEN"'),
        ({"item": 3}, "item: must be text, not 3"),
        ({"item": None}, "item: must be text, not null"),
        ({"count": 10}, "count: must be at most 9, not 10"),
        ({"count": 1.5}, "count: must be a whole number, not 1.5"),
        ({"count": True}, "count: must be a whole number, not true"),
        ({"count": "3"}, 'count: must be a whole number, not "3"'),
        ({"price": float("nan")}, "price: must be a number, not nan"),
        ({"price": float("inf")}, "price: must be a number, not inf"),
        ({"price": -1}, "price: must be at least 0, not -1.0"),
        ({"price": 10**400}, "price: must be a number, not"),
        ({"price": None}, "price: must be a number, not null"),
        ({"gift": "yes"}, 'gift: must be true or false, not "yes"'),
        ({"gift": 1}, "gift: must be true or false, not 1"),
        ({"version": 5}, "version: must be one of 4, 7, not 5"),
        ({"version": True}, "version: must be one of 4, 7, not true"),
        ({"tags": "a"}, 'tags: must be a list, not "a"'),
        ({"tags": ["a"] * 3}, "tags: must have at most 2 items, not 3"),
        ({"marks": [1, "x"]}, 'marks: item 2 must be a whole number, not "x"'),
        ({"note": {}}, "note: must be text, not an object"),
        ({"note": "\ud83d"}, "note: holds half of a surrogate pair"),
    ],
)
def test_a_wrong_value_is_named(values: dict[str, Any], message: str) -> None:
    assert len(faults(**values)) == 1
    assert faults(**values)[0].startswith(message)


def test_whole_floats_and_ints_stand_for_each_other() -> None:
    order, _ = check(Order, {"item": "pen", "count": 3.0, "price": 2})
    assert order is not None
    assert (order.count, order.price) == (3, 2.0)
    assert (type(order.count), type(order.price)) == (int, float)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"count": "3"}, {"count": 3}),
        ({"count": " 3.0 "}, {"count": 3}),
        ({"price": "2.50"}, {"price": 2.5}),
        ({"price": "1e2"}, {"price": 100.0}),
        ({"version": "7"}, {"version": 7}),
        ({"size": " large "}, {"size": "large"}),
        ({"count": None, "note": None}, {}),
        ({"marks": ["1", 2]}, {"marks": (1, 2)}),
    ],
)
def test_numbers_as_text_and_nulls_are_taken_from_a_model(
    values: dict[str, Any], expected: dict[str, Any]
) -> None:
    order, wrong = check(Order, {"item": "pen", **values}, lenient=True)
    assert wrong == []
    assert order == Order("pen", **expected)


@pytest.mark.parametrize("value", ["3 apples", "", "０x3", "1_000", "nan", "inf", "1e999", "--1", "9" * 5000])
def test_text_that_is_no_number_stays_a_fault_for_a_model_too(value: str) -> None:
    assert len(faults(lenient=True, price=value)) == 1


def test_a_long_value_is_shown_short() -> None:
    assert len(faults(item=["x" * 5000])[0]) < 100
    assert len(faults(gift="x" * 5000)[0]) < 120
