from __future__ import annotations

from typing import Any

import pytest

from agentctl.providers.wire.strict import is_strict

NAME = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


def around(inner: Any) -> dict[str, Any]:
    return {**NAME, "properties": {"name": inner}}


@pytest.mark.parametrize(
    "schema", [NAME, around(NAME), around({"type": "array", "items": NAME}), around({"anyOf": [NAME]})]
)
def test_a_schema_that_leaves_nothing_open_is_strict(schema: dict[str, Any]) -> None:
    assert is_strict(schema)


LOOSE = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize(
    "schema",
    [
        LOOSE,
        {**LOOSE, "additionalProperties": False},
        {**NAME, "additionalProperties": True},
        around(LOOSE),
        around({"type": "array", "items": LOOSE}),
        around({"anyOf": [LOOSE, NAME]}),
        {**around({"$ref": "#/$defs/x"}), "$defs": {"x": LOOSE}},
        around({"oneOf": [NAME]}),
        around(True),
        {"type": "array", "items": NAME},
        {"type": "string"},
        True,
    ],
)
def test_a_schema_that_leaves_something_open_is_not(schema: Any) -> None:
    assert not is_strict(schema)
