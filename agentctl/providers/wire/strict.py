"""Tells whether a JSON Schema keeps to the rules under which providers promise to follow it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# What OpenAI's strict mode lists as unsupported; a schema with one of these is followed without a promise.
_UNSUPPORTED = frozenset(
    {"allOf", "dependentRequired", "dependentSchemas", "else", "if", "not", "oneOf", "patternProperties"}
)


def is_strict(schema: Any) -> bool:
    """Whether every object in `schema` names all of its properties, requires them and allows no others.

    https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
    """
    return isinstance(schema, Mapping) and schema.get("type") == "object" and _keeps(schema)


def _keeps(schema: Any) -> bool:
    if not isinstance(schema, Mapping) or _UNSUPPORTED & schema.keys():
        return False
    if schema.get("type") == "object" or "properties" in schema:
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or not isinstance(properties, Mapping):
            return False
        if set(schema.get("required", ())) != properties.keys():
            return False
    inner = [schema["items"]] if "items" in schema else []
    for key in ("$defs", "definitions", "properties"):
        inner += schema.get(key, {}).values()
    return all(_keeps(each) for each in (*inner, *schema.get("anyOf", ())))
