"""Values behave as frozen dataclasses do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, field, fields, replace

import pytest

from agentctl.domain.value import value


@value
class Point:
    x: int
    y: int = 0
    tags: Mapping[str, str] = field(default_factory=dict)
    note: str = field(default="", compare=False, repr=False)


@value
class Other:
    x: int
    y: int = 0


def test_fields_can_be_given_by_place_and_by_name() -> None:
    assert Point(1, y=2) == Point(x=1, y=2)
    assert Point(1).tags == {}
    assert Point(1).tags is not Point(1).tags


@pytest.mark.parametrize(
    "make",
    [
        lambda: Point(),
        lambda: Point(1, 2, {}, "", 5),
        lambda: Point(1, x=2),
        lambda: Point(1, z=3),
    ],
)
def test_a_wrong_field_is_a_type_error(make: Callable[[], Point]) -> None:
    with pytest.raises(TypeError, match=r"Point (takes|needs)"):
        make()


def test_a_value_is_frozen() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="frozen"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del point.x


def test_equality_needs_the_same_class_and_leaves_out_what_is_not_compared() -> None:
    assert Point(1, note="a") == Point(1, note="b")
    assert Point(1) != Point(2)
    assert Other(1) != Point(1)
    assert hash(Other(1)) == hash(Other(1))


def test_the_tools_of_dataclasses_work() -> None:
    assert replace(Point(1), y=5) == Point(1, 5)
    assert asdict(Other(1)) == {"x": 1, "y": 0}
    assert [each.name for each in fields(Other)] == ["x", "y"]
    assert repr(Point(1)) == "Point(x=1, y=0, tags={})"


def test_patterns_match_by_place() -> None:
    match Point(3, 4):
        case Point(x, y):
            assert (x, y) == (3, 4)
