"""Says in words how a value breaks a JSON Schema: where, what was expected, and what was there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_MOST_TEXT = 60
_IDENTIFIER = re.compile(r"[^\W\d]\w*\Z")
_ARTICLES = {"array": "an array", "integer": "an integer", "null": "null", "object": "an object"}


def describe(error: ValidationError) -> list[str]:
    """The faults of one error, each `$.items[2].price: expected a number, got "x"`."""
    place = _place(error.absolute_path)
    if error.validator in _SEVERAL:
        return [f"{place}: {said}" for said in _SEVERAL[error.validator](error)]
    if error.validator is None:  # the schema `false`; the library leaves the last step of the path out
        return [f"{place}: {_show(error.instance)} may not stand here"]
    said = _WORDS.get(error.validator)
    return [f"{place}: {said(error) if said else _shorten(error.message, 200)}"]


def _place(path: Iterable[str | int]) -> str:
    steps = (
        f"[{step}]"
        if isinstance(step, int)
        else f".{step}"
        if _IDENTIFIER.match(step)
        else f"[{json.dumps(step, ensure_ascii=False)}]"
        for step in path
    )
    return "$" + "".join(steps)


def _show(value: Any) -> str:
    if isinstance(value, (dict, list)) and len(value) > 20:
        return f"{'an object' if isinstance(value, dict) else 'an array'} of {len(value)}"
    return _shorten(json.dumps(value, ensure_ascii=False, default=str), _MOST_TEXT)


def _shorten(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}..."


def _type(error: ValidationError) -> str:
    kinds = [error.validator_value] if isinstance(error.validator_value, str) else error.validator_value
    expected = " or ".join(_ARTICLES.get(kind, f"a {kind}") for kind in kinds)
    return f"expected {expected}, got {_show(error.instance)}"


def _enum(error: ValidationError) -> str:
    choices = ", ".join(_show(choice) for choice in error.validator_value[:20])
    return f"expected one of {choices}, got {_show(error.instance)}"


def _missing(error: ValidationError) -> list[str]:
    """All that is missing: the library reports each property by itself, and names it in prose only."""
    return [f"{_show(name)} is missing" for name in error.validator_value if name not in error.instance]


def _unexpected(error: ValidationError) -> list[str]:
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    if "patternProperties" in schema:
        return [_shorten(error.message, 200)]
    known = schema.get("properties", {})
    return [f"{_show(name)} is not expected" for name in error.instance if name not in known]


def _no_branch(error: ValidationError) -> str:
    """What is wrong with the form that comes closest, for lists of alternatives."""
    if not error.context:
        return "fits more than one of the forms of which it may have one"
    branches: dict[Any, list[ValidationError]] = {}
    for each in error.context:
        branches.setdefault(each.relative_schema_path[0], []).append(each)

    closest = min(branches.values(), key=_distance)[0]
    inner = describe(closest)[0].removeprefix(f"{_place(error.absolute_path)}: ")
    return f"fits none of {len(error.validator_value)} forms; closest: {inner}"


def _distance(errors: Sequence[ValidationError]) -> tuple[int, int, int]:
    """How far a value is from one form: its kind, then a tag in it, then the number of faults."""
    kinds = sum(not each.path and each.validator == "type" for each in errors)
    tags = sum(each.validator in ("const", "enum") for each in errors)
    return kinds, tags, len(errors)


def _bound(words: str) -> Callable[[ValidationError], str]:
    return lambda error: f"must be {words} {error.validator_value}, got {_show(error.instance)}"


def _count(words: str, unit: str) -> Callable[[ValidationError], str]:
    return lambda error: f"must have {words} {error.validator_value} {unit}, has {len(error.instance)}"


_SEVERAL: Mapping[Any, Callable[[ValidationError], list[str]]] = {
    "additionalProperties": _unexpected,
    "required": _missing,
}
_WORDS: Mapping[Any, Callable[[ValidationError], str]] = {
    "anyOf": _no_branch,
    "const": lambda error: f"expected {_show(error.validator_value)}, got {_show(error.instance)}",
    "enum": _enum,
    "exclusiveMaximum": _bound("less than"),
    "exclusiveMinimum": _bound("more than"),
    "maxItems": _count("at most", "items"),
    "maxLength": _count("at most", "characters"),
    "maxProperties": _count("at most", "properties"),
    "maximum": _bound("at most"),
    "minItems": _count("at least", "items"),
    "minLength": _count("at least", "characters"),
    "minProperties": _count("at least", "properties"),
    "minimum": _bound("at least"),
    "multipleOf": _bound("a multiple of"),
    "not": lambda error: f"{_show(error.instance)} is excluded",
    "oneOf": _no_branch,
    "pattern": lambda error: f"{_show(error.instance)} does not match {_show(error.validator_value)}",
    "type": _type,
    "uniqueItems": lambda error: "has the same item twice",
}
