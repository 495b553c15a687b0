"""Arguments that a config declares: what a model sees of them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.tools.declared import read_arguments


def declared(**arguments: Any) -> Any:
    found, faults = read_arguments(arguments)
    assert faults == []
    return found


def test_the_schema_says_what_was_declared() -> None:
    found = declared(
        city={"type": "string", "description": "Where.", "pattern": "[A-Z][a-z]+"},
        unit={"enum": ["C", "F"], "default": "C"},
        days={"type": "integer", "minimum": 1, "maximum": 7, "required": False},
        tags={"type": "array", "max_items": 3, "pattern": "[a-z]+", "required": False},
    )
    assert found.schema() == {
        "type": "object",
        "properties": {
            "city": {
                "type": "string",
                "pattern": "^(?:[A-Z][a-z]+)$",
                "maxLength": 10_000,
                "description": "Where.",
            },
            "unit": {"type": "string", "enum": ["C", "F"], "default": "C", "description": "unit"},
            "days": {"type": "integer", "minimum": 1, "maximum": 7, "description": "days"},
            "tags": {
                "type": "array",
                "items": {"type": "string", "pattern": "^(?:[a-z]+)$", "maxLength": 10_000},
                "maxItems": 3,
                "description": "tags",
            },
        },
        "required": ["city"],
        "additionalProperties": False,
    }


def test_defaults_are_filled_in_and_what_was_left_out_stays_out() -> None:
    found = declared(a={}, b={"default": "x"}, c={"type": "integer", "required": False})
    assert found.check({"a": "1"}) == ({"a": "1", "b": "x"}, [])


def test_each_fault_is_named_at_once() -> None:
    found = declared(
        city={"pattern": "[a-z]+"},
        days={"type": "integer", "maximum": 7},
        tags={"type": "array", "pattern": "[a-z]+"},
    )
    assert found.check({"city": "Köln\n", "days": 9, "tags": ["ok", "-x"], "other": 1})[1] == [
        "other: unknown",
        'city: must match [a-z]+, not "Köln\n"',
        "days: must be at most 7, not 9",
        'tags: item 2 must match [a-z]+, not "-x"',
    ]
    assert found.check({})[1] == ["city: is required", "days: is required", "tags: is required"]


@pytest.mark.parametrize(
    ("name", "given", "fault"),
    [
        ("a b", {}, "arguments.a b: a name is made of"),
        ("x", "string", "arguments.x: must be an object"),
        ("x", {"type": "text"}, "arguments.x.type: must be one of array, boolean"),
        ("x", {"desciption": "y"}, 'arguments.x.desciption: unknown (did you mean "description"?)'),
        ("x", {"pattern": "(["}, "arguments.x.pattern: no regular expression"),
        ("x", {"type": "integer", "pattern": "a"}, "arguments.x.pattern: means nothing for type integer"),
        ("x", {"type": "integer", "enum": [1]}, "arguments.x.enum: must be a list of texts"),
        ("x", {"max_length": "9"}, "arguments.x.max_length: must be a number"),
        ("x", {"type": "array", "items": "array"}, "arguments.x.items: names the type"),
        ("x", {"type": "integer", "default": "one"}, "arguments.x.default: must be a whole number"),
        ("x", {"enum": ["a"], "default": "b"}, "arguments.x.default: must be one of a"),
        ("x", {"required": "yes"}, "arguments.x.required: must be true or false"),
    ],
)
def test_a_wrong_declaration_is_named_with_its_place(name: str, given: Any, fault: str) -> None:
    faults = read_arguments({name: given})[1]
    assert len(faults) == 1
    assert faults[0].startswith(fault)
    assert faults[0].path[:2] == ("arguments", name)
