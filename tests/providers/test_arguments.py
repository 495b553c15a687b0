from __future__ import annotations

import json
from typing import Any

import pytest

from agentctl.providers.arguments import DEEPEST, is_deeper, read_arguments


def nest(levels: int, innermost: Any = 1) -> Any:
    value = innermost
    for level in range(levels):
        value = {"a": value} if level % 2 else [value]
    return value


@pytest.mark.parametrize("innermost", [1, "text"])
def test_depth_is_counted_in_lists_and_mappings(innermost: Any) -> None:
    assert not is_deeper(innermost, 0)
    assert is_deeper(nest(1, innermost), 0)
    assert not is_deeper(nest(5, innermost), 5)
    assert is_deeper(nest(6, innermost), 5)
    assert is_deeper(nest(5, []), 5)


def test_a_value_of_any_depth_can_be_asked() -> None:
    assert is_deeper(nest(100_000), 100)


def test_arguments_that_nest_too_deeply_are_none() -> None:
    fine = json.dumps({"x": nest(DEEPEST - 1)})
    assert read_arguments(fine) == json.loads(fine)
    assert read_arguments(json.dumps({"x": nest(DEEPEST)})) is None
    assert read_arguments('{"x":' + "[" * 100_000 + "]" * 100_000 + "}") is None


def test_brackets_in_texts_and_wide_values_are_not_deep() -> None:
    assert read_arguments(json.dumps({"x": "[" * 500})) == {"x": "[" * 500}
    wide = {"x": [{"y": []}] * 500}
    assert read_arguments(json.dumps(wide)) == wide


@pytest.mark.parametrize("raw", ["[]", "1", "{", '{"x": NaN}', '{"x": 1e999}', "null"])
def test_what_is_no_json_object_is_none(raw: str) -> None:
    assert read_arguments(raw) is None


def test_nothing_at_all_stands_for_no_arguments() -> None:
    assert read_arguments(" ") == {}
