"""The fields of a change, whole: nobody can approve what they were not shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentctl.domain.plan import FieldChange
from agentctl.render.controls import show_controls

VALUE_LENGTH = 70
_MISSING = object()


def created_lines(field: FieldChange) -> Iterator[str]:
    """A field of something new. Only text of several lines, as a prompt, is cut, and its length told."""
    if _is_long_text(field.new):
        yield f"{field.name}: {_beginning(field.new)} ({len(field.new)} characters)"
    else:
        yield from _name(field.name, _whole(field.new))


def updated_lines(field: FieldChange) -> Iterator[str]:
    """A field that changes, old and new; of mappings the keys that differ, of long text where it does."""
    old, new = field.old, field.new
    if isinstance(old, str) and isinstance(new, str) and "\n" in old + new:
        yield f"{field.name}: {len(old)} -> {len(new)} characters, {_difference(old, new)}"
    else:
        yield from _compare(field.name, old, new)


def _compare(name: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield f"{name}:"
        for key in {**old, **new}:
            before, after = old.get(key, _MISSING), new.get(key, _MISSING)
            if _as_text(before) != _as_text(after):
                yield from _indent(_compare(_as_key(key), before, after))
        return
    was, now = _whole(old), _whole(new)
    if len(was) == len(now) == 1:
        yield f"{name}: {was[0]} -> {now[0]}"
        return
    yield f"{name}:"
    yield from _indent(_name("was", was))
    yield from _indent(_name("now", now))


def _whole(value: Any) -> list[str]:
    """All of a value: on one line where it fits or cannot be taken apart, else a key or an item a line."""
    text = _as_text(value)
    if len(text) <= VALUE_LENGTH or not isinstance(value, (Mapping, list, tuple)):
        return [text]
    if isinstance(value, Mapping):
        return [line for key, item in value.items() for line in _name(_as_key(key), _whole(item))]
    return [f"{'  ' if number else '- '}{line}" for item in value for number, line in enumerate(_whole(item))]


def _name(name: str, lines: list[str]) -> Iterator[str]:
    if len(lines) == 1:
        yield f"{name}: {lines[0]}"
        return
    yield f"{name}:"
    yield from _indent(lines)


def _indent(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _as_key(key: Any) -> str:
    """A key as it is; quoted where it could be taken for more than a key."""
    return key if isinstance(key, str) and re.fullmatch(r"[A-Za-z0-9_.-]+", key) else _as_text(key)


def _as_text(value: Any) -> str:
    return "unset" if value is _MISSING else show_controls(json.dumps(value, ensure_ascii=False))


def _is_long_text(value: Any) -> bool:
    return isinstance(value, str) and "\n" in value and len(value) > VALUE_LENGTH


def _difference(old: str, new: str) -> str:
    """The first line that differs, so that an edit in a long prompt can be told from another."""
    before, after = old.splitlines(), new.splitlines()
    for number, (one, other) in enumerate(zip(before, after, strict=False), start=1):
        if one != other:
            return f"from line {number}: {_beginning(other)}"
    return f"from line {min(len(before), len(after)) + 1}"


def _beginning(text: str) -> str:
    shown = _as_text(text)
    return shown if len(shown) <= VALUE_LENGTH else shown[: VALUE_LENGTH - 1] + "…"
