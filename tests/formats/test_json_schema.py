from __future__ import annotations

import time
from typing import Any

import pytest

from agentctl.formats.json_schema import MAX_FAULTS, find_schema_fault, make_checker

ITEM = {
    "type": "object",
    "properties": {"price": {"type": "number"}, "size": {"enum": ["s", "m"]}},
    "required": ["price", "size"],
    "additionalProperties": False,
}
ORDER = {"type": "object", "properties": {"items": {"type": "array", "items": ITEM}}, "required": ["items"]}
GOOD = {"price": 2.5, "size": "s"}


def faults(schema: dict[str, Any], value: Any) -> list[str]:
    assert find_schema_fault(schema) is None
    return make_checker(schema)(value)


def test_a_value_that_keeps_to_its_schema_has_no_faults() -> None:
    assert faults(ORDER, {"items": [GOOD, GOOD]}) == []


def test_a_fault_names_its_place_and_what_was_expected_and_found() -> None:
    wrong = {"price": "x", "size": "xl"}
    assert faults(ORDER, {"items": [GOOD, GOOD, wrong]}) == [
        '$.items[2].price: expected a number, got "x"',
        '$.items[2].size: expected one of "s", "m", got "xl"',
    ]
    assert faults(ORDER, [1]) == ["$: expected an object, got [1]"]


def test_missing_and_unexpected_properties_are_told_one_by_one() -> None:
    assert sorted(faults(ORDER, {"items": [{"色": 1, "b c": 2}]})) == [
        '$.items[0]: "b c" is not expected',
        '$.items[0]: "price" is missing',
        '$.items[0]: "size" is missing',
        '$.items[0]: "色" is not expected',
    ]


@pytest.mark.parametrize(
    ("schema", "value", "fault"),
    [
        ({"type": ["integer", "null"]}, "x", '$: expected an integer or null, got "x"'),
        ({"type": "number"}, True, "$: expected a number, got true"),
        ({"const": "é"}, 1, '$: expected "é", got 1'),
        ({"minimum": 3}, 2, "$: must be at least 3, got 2"),
        ({"exclusiveMaximum": 3}, 3, "$: must be less than 3, got 3"),
        ({"multipleOf": 2}, 3, "$: must be a multiple of 2, got 3"),
        ({"minLength": 3}, "日本", "$: must have at least 3 characters, has 2"),
        ({"maxItems": 1}, [1, 2], "$: must have at most 1 items, has 2"),
        ({"uniqueItems": True}, [1, 1], "$: has the same item twice"),
        ({"pattern": "^[a-z]+$"}, "A", '$: "A" does not match "^[a-z]+$"'),
        ({"not": {"type": "string"}}, "a", '$: "a" is excluded'),
        ({"properties": {"a b": False}}, {"a b": 1}, "$: 1 may not stand here"),
        ({"properties": {"a b": {"type": "null"}}}, {"a b": 1}, '$["a b"]: expected null, got 1'),
        ({"type": "string"}, list(range(30)), "$: expected a string, got an array of 30"),
        ({"type": "integer"}, "x" * 100, f'$: expected an integer, got "{"x" * 59}...'),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 3, "$: fits more than one of the forms"),
        ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}}, "a", '$: expected an integer, got "a"'),
        ({"$ref": "#n", "$defs": {"n": {"$anchor": "n", "type": "null"}}}, 1, "$: expected null, got 1"),
    ],
)
def test_each_kind_of_fault_has_its_words(schema: dict[str, Any], value: Any, fault: str) -> None:
    (found,) = faults(schema, value)
    assert found.startswith(fault)


def test_among_alternatives_the_closest_is_explained() -> None:
    dog = {"type": "object", "properties": {"kind": {"const": "dog"}, "age": {"type": "integer"}}}
    cat = {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}}
    schema = {"anyOf": [{"type": "string"}, dog, cat]}
    assert faults(schema, {"kind": "cat", "lives": "nine"}) == [
        '$: fits none of 3 forms; closest: $.lives: expected an integer, got "nine"'
    ]


def test_no_more_faults_are_told_than_anybody_reads() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}
    assert len(faults(schema, ["x"] * 1000)) == MAX_FAULTS


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"properties": {"a": {"type": "itn"}}}, "$.properties.a.type: fits none of 2 forms; closest:"),
        ({"required": "name"}, '$.required: expected an array, got "name"'),
        ({"pattern": "("}, "$.pattern: "),
        ({"$ref": "#/$defs/gone"}, '"$ref": "#/$defs/gone" leads to nothing'),
        ({"items": {"$ref": "https://example.org/s.json"}}, '"$ref": "https://example.org/s.json" leads out'),
        ({"properties": {"default": {"$ref": "other.json"}}}, '"$ref": "other.json" leads out'),
    ],
)
def test_a_schema_that_is_none_is_refused_with_the_place(schema: dict[str, Any], fault: str) -> None:
    assert str(find_schema_fault(schema)).startswith(fault)


def test_what_only_looks_like_a_reference_is_none() -> None:
    assert faults({"properties": {"$ref": {"type": "string"}, "pattern": {"type": "integer"}}}, {}) == []
    assert faults({"const": {"$ref": "https://example.org/"}}, {"$ref": "https://example.org/"}) == []


def test_an_older_draft_is_read_by_its_own_rules() -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}
    assert faults(schema, [1]) == ["$[0]: expected a string, got 1"]
    assert find_schema_fault({"items": [{"type": "string"}]}) is not None


def test_deep_nesting_is_a_fault_and_no_crash() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert faults({"type": "array"}, deep) == ["$: nested too deeply"]
    assert "levels deep" in str(find_schema_fault({"const": deep}))
    assert "without end" in faults({"$ref": "#"}, 1)[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": "^(a+)+$"}, "a" * 60 + "!"),
        ({"patternProperties": {"^(a|a)*$": {}}}, {"a" * 60 + "!": 1}),
        (
            {
                "$ref": "#/$defs/x0",
                "$defs": {
                    **{f"x{n}": {"allOf": [{"$ref": f"#/$defs/x{n + 1}"}] * 2} for n in range(40)},
                    "x40": {"type": "integer"},
                },
            },
            1,
        ),
    ],
    ids=["pattern", "patternProperties", "references"],
)
def test_a_schema_that_would_take_for_ever_is_stopped(schema: dict[str, Any], value: Any) -> None:
    started = time.monotonic()
    assert "took longer" in faults(schema, value)[0]
    assert time.monotonic() - started < 50


@pytest.mark.parametrize("odd", [5, None, [], {"x": 1}, "http://["])
def test_a_draft_that_is_no_url_is_a_fault_of_the_schema(odd: Any) -> None:
    assert find_schema_fault({"$schema": odd, "type": "object"}) is not None


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_json_does_not_have_are_a_fault_wherever_they_stand(number: float) -> None:
    schema = {"properties": {"price": {"enum": [1, {"deep": [number]}]}}}
    assert find_schema_fault(schema) == "NaN and Infinity are no numbers in JSON"


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
def test_a_reference_to_nothing_is_found_before_a_model_is_asked(keyword: str) -> None:
    assert find_schema_fault({"items": {keyword: "#nowhere"}}) == f'"{keyword}": "#nowhere" leads to nothing'


@pytest.mark.parametrize("schema", [{"multipleOf": 10**400}, {"multipleOf": 0.1}])
def test_a_number_too_large_to_be_divided_is_a_fault(schema: dict[str, Any]) -> None:
    value = 0.5 if schema["multipleOf"] > 1 else 10**400
    assert faults(schema, value) == ["$: cannot be checked: a number is too large to be divided"]


def test_a_schema_that_only_excludes_itself_is_said_to_have_no_end() -> None:
    endless = "$: cannot be checked, for the schema refers to itself without end"
    assert faults({"not": {"$ref": "#"}}, 1) == [endless]
