"""Arguments of a tool as they are given on a command line, made the values that its schema wants."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from agentctl.errors import UsageError

_PLAIN = {"array": '["a", "b"]', "boolean": "true", "object": '{"a": 1}'}
_EXAMPLE = "Write --json '{\"NAME\": VALUE, ...}', or --arg NAME=VALUE for each."
_KINDS: Mapping[str, type] = {"array": list, "boolean": bool, "object": dict}


def read_pairs(
    pairs: Iterable[tuple[str, str]], schema: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The arguments and what is wrong with how they are written.

    Text stays as it is, and so do numbers, which the tool's own check reads; where the schema wants true or
    false, a list or an object, the value is JSON.
    """
    properties = schema.get("properties", {})
    values: dict[str, Any] = {}
    faults = []
    for name, text in pairs:
        if name in values:
            faults.append(f"{name}: is given twice")
        kind = properties.get(name, {}).get("type")
        values[name] = text
        if isinstance(kind, str) and kind in _KINDS:
            with suppress(ValueError, RecursionError):
                values[name] = json.loads(text)
            if not isinstance(values[name], _KINDS[kind]):
                faults.append(f"{name}: write JSON, such as {_PLAIN[kind]}")
    return values, faults


def read_object(text: str) -> dict[str, Any]:
    """The arguments in a JSON object. Raises UsageError."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--json: this is no JSON: {error}", hint=_EXAMPLE) from None
    if not isinstance(found, dict):
        raise UsageError("--json: this is no JSON object", hint=_EXAMPLE)
    return found
