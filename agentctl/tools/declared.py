"""Arguments that a tool's config declares in place of a dataclass: `arguments: {city: {type: string}}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.domain.value import value
from agentctl.errors import did_you_mean
from agentctl.tools.checks import Fault, check_entries
from agentctl.tools.schema import entries_schema
from agentctl.tools.shapes import KEYWORDS, Entry, Shape

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
TYPES = ("array", "boolean", "integer", "number", "string")
MOST_ARGUMENTS = 50
# Bounds for what its declaration does not bound.
LONGEST_TEXT = 10_000
LONGEST_LIST = 100
_LIMITS: dict[str, dict[str, type]] = {
    "array": {"min_items": int, "max_items": int},
    "boolean": {},
    "integer": {"minimum": int, "maximum": int},
    "number": {"minimum": float, "maximum": float},
    "string": {"min_length": int, "max_length": int, "pattern": str},
}
_KEYS = ("type", "description", "default", "required", "enum", "items", *KEYWORDS)


@value
class DeclaredArguments:
    """The arguments that a model may give; those of a list apply its text and number limits to each item."""

    entries: tuple[Entry, ...]

    def schema(self) -> dict[str, Any]:
        """The JSON Schema that the model sees."""
        schema = entries_schema(self.entries)
        for each in schema["properties"].values():
            for found in (each, each.get("items", {})):
                if "pattern" in found:
                    found["pattern"] = f"^(?:{found['pattern']})$"
        return schema

    def check(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """The arguments that were given, with defaults, and one line for each fault."""
        clean, faults = check_entries(self.entries, arguments, lenient=True)
        defaults = {each.name: each.default for each in self.entries if each.default is not None}
        return {**defaults, **clean}, [*faults]


def read_arguments(declared: Mapping[str, Any]) -> tuple[DeclaredArguments, list[Fault]]:
    """What `arguments:` of a config declares, and every fault of it with its path."""
    entries: list[Entry] = []
    faults: list[Fault] = []
    if len(declared) > MOST_ARGUMENTS:
        faults.append(Fault("arguments", f"at most {MOST_ARGUMENTS} arguments"))
        return DeclaredArguments(()), faults
    for name, given in declared.items():
        found = list(_argument_faults(name, given))
        faults += found
        if not found:
            entry = _entry(name, given)
            faults += _default_faults(entry)
            entries.append(entry)
    return DeclaredArguments(tuple(entries)), faults


def _argument_faults(name: Any, given: Any) -> Iterator[Fault]:
    path = ("arguments", str(name))
    if not isinstance(name, str) or not NAME.fullmatch(name):
        yield Fault(path, "a name is made of letters, digits and _, and begins with no digit")
    elif not isinstance(given, Mapping):
        yield Fault(path, "must be an object, such as {type: string, description: ...}")
    else:
        for key, message in _key_faults(given):
            yield Fault((*path, key) if key in given else path, message)


def _key_faults(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    kind = given.get("type", "string")
    if kind not in TYPES:
        yield "type", f"must be one of {', '.join(TYPES)}"
        return
    item = given.get("items", "string") if kind == "array" else kind
    if item not in TYPES or item == "array" or ("items" in given and kind != "array"):
        yield "items", "names the type of a list's items: boolean, integer, number or string"
        return
    allowed: dict[str, type] = {**_LIMITS[kind], **_LIMITS[item]}
    for key, limit in given.items():
        if key not in _KEYS:
            yield str(key), f"unknown{did_you_mean(str(key), _KEYS)}"
        elif key in KEYWORDS and key != "description" and key not in allowed:
            yield key, f"means nothing for type {kind}"
        elif key in allowed and not _is_limit(limit, allowed[key]):
            yield key, "must be " + ("text" if key == "pattern" else "a number from 0 up")
    if not isinstance(given.get("description", ""), str):
        yield "description", "must be text"
    if not isinstance(given.get("required", True), bool):
        yield "required", "must be true or false"
    yield from _choice_faults(given, item)


def _choice_faults(given: Mapping[str, Any], item: str) -> Iterator[tuple[str, str]]:
    choices = given.get("enum")
    if choices is not None and (
        item != "string" or not isinstance(choices, list | tuple) or not choices or not _are_texts(choices)
    ):
        yield "enum", "must be a list of texts (quote numbers), for type string"
    if isinstance(given.get("pattern"), str):
        try:
            re.compile(given["pattern"])
        except (re.error, OverflowError, RecursionError) as error:
            yield "pattern", f"no regular expression: {error}"


def _is_limit(limit: Any, kind: type) -> bool:
    if kind is str:
        return isinstance(limit, str)
    if isinstance(limit, bool) or not isinstance(limit, int | float):
        return False
    return kind is float or isinstance(limit, int)


def _are_texts(choices: Any) -> bool:
    return all(isinstance(choice, str) for choice in choices)


def _entry(name: str, given: Mapping[str, Any]) -> Entry:
    kind = given.get("type", "string")
    limits = {key: given[key] for key in KEYWORDS if key in given and key in _LIMITS[kind]}
    if kind == "array":
        item = given.get("items", "string")
        inner = {key: given[key] for key in _LIMITS[item] if key in given}
        shape = Shape("array", items=_bounded(item, given, inner))
        limits.setdefault("max_items", LONGEST_LIST)
    else:
        shape = _bounded(kind, given, limits)
        limits = dict(shape.limits)
    limits["description"] = given.get("description", name.replace("_", " "))
    default = given.get("default")
    required = given.get("required", default is None)
    return Entry(name, shape, limits, required and default is None, default)


def _bounded(kind: str, given: Mapping[str, Any], limits: dict[str, Any]) -> Shape:
    if "enum" in given:
        return Shape("enum", choices=tuple(given["enum"]))
    if kind == "string":
        limits.setdefault("max_length", LONGEST_TEXT)
    return Shape(kind, limits=limits)


def _default_faults(entry: Entry) -> Iterator[Fault]:
    if entry.default is not None:
        for fault in check_entries([entry], {entry.name: entry.default})[1]:
            yield Fault(("arguments", entry.name, "default"), fault.partition(": ")[2])
