"""From a dataclass to the JSON Schema that a model sees of a tool, and an editor of its config."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentctl.tools.shapes import KEYWORDS, NAMES, Entry, Shape, entries


def arguments_schema(cls: type) -> dict[str, Any]:
    """The JSON Schema of a call's arguments, as the model sees it: what may be null may be left out."""
    return entries_schema(entries(cls))


def config_schema(cls: type) -> dict[str, Any]:
    """The JSON Schema of a tool's `config:` in YAML, defaults included."""
    return entries_schema(entries(cls), nulls=True)


def entries_schema(declared: Iterable[Entry], *, nulls: bool = False) -> dict[str, Any]:
    """The JSON Schema of an object with these fields; with `nulls`, those that may be null say so."""
    found = tuple(declared)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {entry.name: _property(entry, nulls=nulls) for entry in found},
        "required": [entry.name for entry in found if entry.required],
        "additionalProperties": False,
    }
    if not schema["required"]:
        del schema["required"]
    return schema


def _property(entry: Entry, *, nulls: bool) -> dict[str, Any]:
    schema = _value_schema(entry.shape, nulls=nulls)
    schema.update((KEYWORDS[key], value) for key, value in entry.limits.items())
    if not entry.required and entry.default is not None:
        schema["default"] = list(entry.default) if isinstance(entry.default, tuple) else entry.default
    return schema


def _value_schema(shape: Shape, *, nulls: bool) -> dict[str, Any]:
    if shape.kind == "any":
        return {}
    null = nulls and shape.nullable
    if shape.kind == "enum":
        names = {NAMES[type(choice)]: None for choice in shape.choices}
        kinds = [*names, "null"] if null else [*names]
        choices = [*shape.choices, None] if null else list(shape.choices)
        return {"type": kinds if len(kinds) > 1 else kinds[0], "enum": choices}
    schema: dict[str, Any] = {"type": [shape.kind, "null"] if null else shape.kind}
    if shape.items is not None:
        schema["items"] = _value_schema(shape.items, nulls=nulls)
        schema["items"].update((KEYWORDS[key], value) for key, value in shape.items.limits.items())
    return schema
