"""Dataclasses become JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from agentctl.tools.base import NoArguments, ToolConfig
from agentctl.tools.schema import arguments_schema, config_schema


@dataclass(frozen=True)
class Everything:
    """One field of each kind."""

    text: str = field(metadata={"description": "Some text.", "max_length": 5})
    count: int = field(metadata={"minimum": 1, "maximum": 9})
    ratio: float = 0.5
    exact: bool = False
    size: Literal["s", "m"] = "m"
    version: Literal[4, 7] = 4
    tags: list[str] = field(default_factory=list, metadata={"max_items": 3})
    hosts: tuple[str, ...] = ("a", "b")
    note: str | None = None
    headers: Mapping[str, Any] = field(default_factory=dict)


def test_a_model_sees_every_field_with_its_limits() -> None:
    assert arguments_schema(Everything) == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "Some text.", "maxLength": 5},
            "count": {"type": "integer", "minimum": 1, "maximum": 9},
            "ratio": {"type": "number", "default": 0.5},
            "exact": {"type": "boolean", "default": False},
            "size": {"type": "string", "enum": ["s", "m"], "default": "m"},
            "version": {"type": "integer", "enum": [4, 7], "default": 4},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "default": []},
            "hosts": {"type": "array", "items": {"type": "string"}, "default": ["a", "b"]},
            "note": {"type": "string"},
            "headers": {"type": "object", "default": {}},
        },
        "required": ["text", "count"],
        "additionalProperties": False,
    }


def test_in_a_config_null_may_be_written() -> None:
    assert config_schema(Everything)["properties"]["note"] == {"type": ["string", "null"]}


def test_a_tool_without_arguments_takes_an_empty_object() -> None:
    assert arguments_schema(NoArguments) == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_the_config_of_all_tools_has_defaults_and_limits() -> None:
    properties = config_schema(ToolConfig)["properties"]
    assert properties["timeout"]["default"] == 30.0
    assert properties["timeout"]["minimum"] == 0.1
    assert properties["max_output"]["type"] == "integer"


@dataclass(frozen=True)
class Odd:
    """A field that JSON Schema has no simple word for."""

    value: complex


@dataclass(frozen=True)
class Misspelt:
    """A limit that nobody would check."""

    value: int = field(default=1, metadata={"maximun": 3})


@pytest.mark.parametrize(("cls", "words"), [(Odd, "no JSON Schema"), (Misspelt, "maximun")])
def test_a_field_that_cannot_be_described_is_refused(cls: type, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        arguments_schema(cls)
