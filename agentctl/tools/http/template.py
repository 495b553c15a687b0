"""Texts with {arguments} in them, and where in a request each may stand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

from agentctl.tools.base import ToolError

# {{name}} is the text {name}; other braces mean themselves, as they do in a GraphQL query.
_ARGUMENT = re.compile(r"\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}")
_DECODINGS = 3
LEFT_OUT = object()


def names_in(text: str) -> list[str]:
    """The arguments of a template."""
    return [found[2] for found in _ARGUMENT.finditer(text) if found[2]]


def whole_name(text: str) -> str | None:
    """The argument that is all of a template, if it is one."""
    found = _ARGUMENT.fullmatch(text)
    return found[2] if found else None


def without_arguments(text: str) -> str:
    """A template with every argument gone."""
    return _ARGUMENT.sub("", text)


def texts_in(template: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text of a nested template with the keys and places that lead to it."""
    if isinstance(template, str):
        yield path, template
    elif isinstance(template, Mapping):
        for key, inner in template.items():
            yield from texts_in(inner, (*path, str(key)))
    elif isinstance(template, list | tuple):
        for place, inner in enumerate(template):
            yield from texts_in(inner, (*path, place))


def fill_text(text: str, arguments: Mapping[str, Any], encode: Callable[[str], str] = str) -> str:
    """The template with its arguments as text, each through `encode`."""
    return _ARGUMENT.sub(
        lambda found: encode(as_text(arguments[found[2]])) if found[2] else f"{{{found[1]}}}", text
    )


def fill(template: Any, arguments: Mapping[str, Any]) -> Any:
    """A nested template filled: a text that is only {name} becomes the argument itself, of its own type.

    LEFT_OUT where that argument was not given; in objects and lists it leaves no trace.
    """
    if isinstance(template, str):
        name = whole_name(template)
        return fill_text(template, arguments) if name is None else arguments.get(name, LEFT_OUT)
    if isinstance(template, Mapping):
        filled = {key: fill(inner, arguments) for key, inner in template.items()}
        return {key: inner for key, inner in filled.items() if inner is not LEFT_OUT}
    if isinstance(template, list | tuple):
        return [inner for each in template if (inner := fill(each, arguments)) is not LEFT_OUT]
    return template


def fill_url(url: str, arguments: Mapping[str, Any]) -> str:
    """The address with its arguments percent-encoded: none changes more than its own place.

    Raises ToolError for one that would, as `..` or nothing at all in the path does.
    """
    path, mark, query = url.partition("?")
    for name in names_in(path):
        _check_segment(name, as_text(arguments[name]))
    return fill_text(path, arguments, _encode) + mark + fill_text(query, arguments, _encode)


def as_text(given: Any) -> str:
    """A value as it stands in a text: lists with commas, other values as in JSON."""
    if isinstance(given, str):
        return given
    if isinstance(given, list | tuple):
        return ",".join(as_text(item) for item in given)
    if isinstance(given, float) and given.is_integer() and abs(given) < 1e15:
        return str(int(given))
    return json.dumps(given)


def _encode(text: str) -> str:
    return quote(text, safe="")


def _check_segment(name: str, text: str) -> None:
    """Some servers decode %2F before they look at a path, some decode twice."""
    if not text:
        raise ToolError(f"{name}: must not be empty, for it stands in the path of the address")
    for _ in range(_DECODINGS):
        parts = (part.partition(";")[0] for part in re.split(r"[/\\]", text))
        if {".", ".."} & set(parts) or "\0" in text:
            raise ToolError(f"{name}: must hold no `.` or `..` as a part of a path")
        text = unquote(text)
