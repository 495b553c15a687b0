from __future__ import annotations

from typing import Any

import pytest

from agentctl.providers.anthropic.schema import restrict


def wrap(inner: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": inner}}


@pytest.mark.parametrize(
    ("inner", "kept"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 9}, {"type": "integer"}),
        ({"type": "string", "minLength": 1, "pattern": "^a"}, {"type": "string"}),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date"}),
        ({"type": "string", "format": "color"}, {"type": "string"}),
        (
            {"type": "array", "minItems": 3, "maxItems": 5, "items": {"type": "number", "multipleOf": 2}},
            {"type": "array", "minItems": 1, "items": {"type": "number"}},
        ),
        ({"oneOf": [{"type": "null"}, {"const": 1}]}, {"anyOf": [{"type": "null"}, {"const": 1}]}),
        ({"enum": ["日", "月"], "description": "d"}, {"enum": ["日", "月"], "description": "d"}),
        ({"$ref": "#/$defs/x"}, {"$ref": "#/$defs/x"}),
        (
            {"type": "object", "properties": {"minimum": {"type": "string"}}},
            {
                "type": "object",
                "properties": {"minimum": {"type": "string"}},
                "additionalProperties": False,
            },
        ),
    ],
)
def test_limits_go_and_the_shape_stays(inner: dict[str, Any], kept: dict[str, Any]) -> None:
    assert restrict(wrap(inner)) == {**wrap(kept), "additionalProperties": False}


@pytest.mark.parametrize(
    "inner",
    [
        {"type": "object"},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": True},
        {"patternProperties": {"^a": {"type": "string"}}},
        {"if": {"const": 1}, "then": {"const": 2}},
        {"$ref": "#"},
        {"$ref": "https://example.org/schema"},
        {"type": "array", "items": True},
        True,
    ],
)
def test_a_shape_that_the_server_cannot_follow_is_left_to_words(inner: Any) -> None:
    assert restrict(wrap(inner)) is None


def test_a_schema_without_bottom_is_left_to_words() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(5000):
        schema = {"anyOf": [schema]}
    assert restrict(wrap(schema)) is None
