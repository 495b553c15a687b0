"""Checks values against a dataclass of arguments or config and reports every fault at once."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from agentctl.errors import did_you_mean
from agentctl.tools.shapes import Entry, Shape, entries

T = TypeVar("T")

_NUMBER = re.compile(r"-?[0-9]{1,300}(\.[0-9]{1,300})?([eE][+-]?[0-9]{1,3})?")
_WORDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "an object",
    "string": "text",
}


class Fault(str):
    """One line about one wrong value; `path` are the keys that lead to it."""

    __slots__ = ("path",)
    path: tuple[str | int, ...]

    def __new__(cls, path: str | tuple[str | int, ...], message: str) -> Fault:
        """`key.key: message`, as one line."""
        keys: tuple[str | int, ...] = (path,) if isinstance(path, str) else path
        fault = super().__new__(cls, f"{'.'.join(map(str, keys))}: {message}")
        fault.path = keys
        return fault

    @property
    def field(self) -> str:
        """The first of the keys."""
        return str(self.path[0])


def check(cls: type[T], values: Mapping[str, Any], *, lenient: bool = False) -> tuple[T | None, list[Fault]]:
    """An instance of `cls`, or None and one line for everything that is wrong with `values`.

    Whole floats stand for integers. `lenient` is for what a model sent: a number may also be written as text
    (among choices also the other way round), and null stands for a field that is left out.
    """
    declared: type = cls
    clean, faults = check_entries(entries(declared), values, lenient=lenient)
    return (None, faults) if faults else (cls(**clean), [])


def check_entries(
    declared: Iterable[Entry], values: Mapping[str, Any], *, lenient: bool = False
) -> tuple[dict[str, Any], list[Fault]]:
    """Like `check`, for fields that are no dataclass: the values that are there, and every fault."""
    known = {entry.name: entry for entry in declared}
    faults = [
        Fault(str(key), f"unknown{did_you_mean(str(key), known)}") for key in values if key not in known
    ]
    clean: dict[str, Any] = {}
    for entry in known.values():
        if entry.name not in values or (lenient and values[entry.name] is None and not entry.required):
            if entry.required:
                faults.append(Fault(entry.name, "is required"))
            continue
        value, message = _check_value(values[entry.name], entry.shape, lenient)
        messages = [message] if message else list(_limit_faults(value, entry.limits))
        faults.extend(Fault(entry.name, one) for one in messages)
        clean[entry.name] = value
    return clean, faults


def _check_value(value: Any, shape: Shape, lenient: bool) -> tuple[Any, str | None]:
    if value is None and shape.nullable:
        return None, None
    if shape.kind == "enum":
        return _check_choice(value, shape, lenient)
    if shape.kind in ("integer", "number"):
        value = _as_number(value, shape.kind, lenient)
    if not _is_a(value, shape.kind):
        return value, f"must be {_WORDS[shape.kind]}, not {_show(value)}"
    if shape.kind == "string" and not _is_unicode(value):
        return value, "holds half of a surrogate pair, which is no character"
    if shape.items is not None:
        return _check_items(value, shape, shape.items, lenient)
    return value, None


def _check_items(values: Any, shape: Shape, items: Shape, lenient: bool) -> tuple[Any, str | None]:
    checked = [_check_value(value, items, lenient) for value in values]
    wrong = (
        f"item {place} {message}"
        for place, (value, fault) in enumerate(checked, 1)
        for message in ([fault] if fault else _limit_faults(value, items.limits))
    )
    clean = [value for value, _ in checked]
    # No more is looked for than is told: what a pattern takes too long for takes that for each item.
    return tuple(clean) if shape.frozen else clean, "; ".join(islice(wrong, 5)) or None


def _check_choice(value: Any, shape: Shape, lenient: bool) -> tuple[Any, str | None]:
    for choice in shape.choices:
        if type(choice) is type(value) and choice == value:
            return choice, None
        if lenient and type(value) in (int, str) and str(value).strip() == str(choice):
            return choice, None
    known = [str(choice) for choice in shape.choices]
    hint = did_you_mean(value, known) if isinstance(value, str) else ""
    return value, f"must be one of {', '.join(known)}, not {_show(value)}{hint}"


def _as_number(value: Any, kind: str, lenient: bool) -> Any:
    """`value` as the number it stands for, else unchanged."""
    if lenient and isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        text = value.strip()
        value = float(text) if set(text) & set(".eE") else int(text)
    if kind == "number" and type(value) is int and abs(value) < 1 << 1000:
        return float(value)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _is_a(value: Any, kind: str) -> bool:
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, float) and math.isfinite(value)
    if kind == "string":
        return isinstance(value, str)
    if kind == "array":
        return isinstance(value, list | tuple)
    if kind == "any":
        return True
    return isinstance(value, Mapping)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _limit_faults(value: Any, limits: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(value, int | float):
        if value < limits.get("minimum", value):
            yield f"must be at least {limits['minimum']}, not {_show(value)}"
        if value > limits.get("maximum", value):
            yield f"must be at most {limits['maximum']}, not {_show(value)}"
    if isinstance(value, str | list | tuple):
        yield from _size_faults(len(value), limits, isinstance(value, str))
    if isinstance(value, str) and "pattern" in limits and not _fits(limits["pattern"], value):
        yield f"must match {limits['pattern']}, not {_show(value)}"


def _size_faults(size: int, limits: Mapping[str, Any], text: bool) -> Iterator[str]:
    unit = "characters" if text else "items"
    least = limits.get("min_length" if text else "min_items", 0)
    most = limits.get("max_length" if text else "max_items", size)
    if size == 0 < least:
        yield "must not be empty"
    elif size < least:
        yield f"must have at least {least:,} {unit}, not {size:,}"
    if size > most:
        yield f"must have at most {most:,} {unit}, not {size:,}"


def _show(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    try:
        text = repr(value) if not isinstance(value, str) else f'"{value}"'
    except ValueError:  # an integer with more digits than Python is willing to print
        return "that"
    return text if len(text) <= 60 else text[:57] + '..."'


def _fits(pattern: str, text: str) -> bool:
    # Few arguments have a pattern.
    from agentctl.tools.patterns import fits

    return fits(pattern, text)
