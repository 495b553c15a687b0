"""Brings a JSON Schema into the part of JSON Schema that a Messages server follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# https://platform.claude.com/docs/en/build-with-claude/structured-outputs: limits on numbers, lengths and
# counts are refused. The caller checks the answer against the whole schema.
_LIMITS = frozenset(
    {
        "$id",
        "$schema",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maxItems",
        "maxLength",
        "maximum",
        "minLength",
        "minimum",
        "multipleOf",
        "pattern",
        "uniqueItems",
    }
)
# Of these nothing would be left, so that words do better.
_BEYOND = frozenset(
    {
        "contains",
        "dependentRequired",
        "dependentSchemas",
        "else",
        "if",
        "not",
        "patternProperties",
        "prefixItems",
        "propertyNames",
        "then",
        "unevaluatedProperties",
    }
)
_FORMATS = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"}
)


def restrict(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """`schema` without the limits that the server refuses; None where it needs what the server has not.

    Objects allow no further properties, which the server insists on.
    """
    try:
        return _restrict(schema)
    except (ValueError, RecursionError):
        return None


def _restrict(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, Mapping) or _BEYOND & schema.keys():
        raise ValueError("beyond what the server follows")
    made: dict[str, Any] = {}
    for name, value in schema.items():
        if name in ("properties", "$defs", "definitions"):
            made[name] = {key: _restrict(inner) for key, inner in value.items()}
        elif name in ("anyOf", "oneOf", "allOf"):
            made["anyOf" if name == "oneOf" else name] = [_restrict(each) for each in value]
        elif name == "items":
            made[name] = _restrict(value)
        elif name == "minItems":
            made[name] = min(value, 1)
        elif name == "format":
            made |= {name: value} if value in _FORMATS else {}
        elif name == "$ref" and (value == "#" or not str(value).startswith("#/")):
            raise ValueError("only definitions of its own can be referred to")
        elif name not in _LIMITS:
            made[name] = value
    if made.get("type") == "object" or "properties" in made:
        if made.get("additionalProperties") or not made.get("properties"):
            raise ValueError("an object of unknown properties")
        made["additionalProperties"] = False
    return made
