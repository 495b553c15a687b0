"""The fields of a dataclass as names, shapes and limits, for schemas and checks alike."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields, replace
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from agentctl.domain.value import value

# What `metadata` of a field may hold, and its name in JSON Schema. Those with `min` or `max` are checked.
KEYWORDS = {
    "description": "description",
    "max_items": "maxItems",
    "max_length": "maxLength",
    "maximum": "maximum",
    "min_items": "minItems",
    "min_length": "minLength",
    "minimum": "minimum",
    "pattern": "pattern",
}

# Marks a key of a config that bounds what a tool may do: one that is wrong never falls back to its default.
SECURITY = "security"

NAMES: dict[Any, str] = {bool: "boolean", float: "number", int: "integer", str: "string"}


@value
class Shape:
    """The type of a value: `kind` is a name of JSON Schema or `enum` or `any`; `items` is set for arrays.

    `limits` are those of a list's items; a field's own stand in its Entry.
    """

    kind: str
    nullable: bool = False
    choices: tuple[Any, ...] = ()
    items: Shape | None = None
    frozen: bool = False
    limits: Mapping[str, Any] = field(default_factory=dict)


@value
class Entry:
    """One field: its name, shape, limits, whether it must be given, whether it bounds what a tool may do."""

    name: str
    shape: Shape
    limits: Mapping[str, Any]
    required: bool
    default: Any = None
    security: bool = False


@cache
def entries(cls: type) -> tuple[Entry, ...]:
    """The fields of a dataclass, in order. Raises TypeError for a type that has no simple JSON Schema."""
    hints = get_type_hints(cls)
    return tuple(_entry(each, hints[each.name]) for each in fields(cls) if each.init)


def _entry(declared: Field[Any], hint: Any) -> Entry:
    unknown = set(declared.metadata) - set(KEYWORDS) - {SECURITY}
    if unknown:
        raise TypeError(f"field {declared.name}: unknown metadata {sorted(unknown)}")
    default = declared.default
    if declared.default_factory is not MISSING:
        default = declared.default_factory()
    required = default is MISSING
    limits = {key: limit for key, limit in declared.metadata.items() if key != SECURITY}
    security = bool(declared.metadata.get(SECURITY))
    return Entry(declared.name, _shape(hint), limits, required, None if required else default, security)


def _shape(hint: Any) -> Shape:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return Shape("any", nullable=True)
    if hint in NAMES:
        return Shape(NAMES[hint])
    if origin in (Union, types.UnionType):
        rest = [one for one in inner if one is not type(None)]
        if len(rest) == 1 and len(rest) < len(inner):
            return replace(_shape(rest[0]), nullable=True)
    if origin is Literal:
        return Shape("enum", choices=inner)
    if origin is list or (origin is tuple and inner[1:] == (...,)):
        return Shape("array", items=_shape(inner[0]), frozen=origin is tuple)
    if origin in (dict, Mapping):
        return Shape("object")
    raise TypeError(f"no JSON Schema for {hint}")
