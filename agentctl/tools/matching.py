"""Whether the conditions of a rule hold for the arguments of a call; None where that cannot be told."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

_MISSING = object()
_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")
_PORTS = {"http": 80, "https": 443}
_ORDERS = ("lt", "lte", "gt", "gte")


def matches(where: Mapping[str, Any], arguments: Mapping[str, Any], *, every: bool) -> bool | None:
    """Whether all conditions hold; None where one cannot be compared and none fails.

    Of an argument that is a list all items count with `every`, else one is enough. Paths and URLs are
    compared in their plain form, and without `every` also as they were given.
    """
    unknown = False
    for path, condition in where.items():
        held = _holds(condition, _find(arguments, path), every=every)
        if held is False:
            return False
        unknown = unknown or held is None
    return None if unknown else True


def _find(arguments: Mapping[str, Any], path: str) -> Any:
    found: Any = arguments
    for key in path.split("."):
        if not isinstance(found, Mapping) or key not in found:
            return _MISSING
        found = found[key]
    return found


def _holds(condition: Any, given: Any, *, every: bool) -> bool | None:
    if given is _MISSING:
        return None
    if isinstance(condition, list):
        return _any(_holds(each, given, every=every) for each in condition)
    if isinstance(given, list):
        found = [_holds(condition, item, every=every) for item in given]
        if not found:
            return None
        return _all(found) if every else _any(found)
    if isinstance(condition, Mapping):
        return _all(_compare(key, bound, given) for key, bound in condition.items())
    if isinstance(condition, str):
        return _glob(condition, given, every=every)
    if isinstance(given, (Mapping, str)) or isinstance(condition, bool) != isinstance(given, bool):
        return None
    return bool(condition == given)


def _compare(key: str, bound: Any, given: Any) -> bool | None:
    if key == "re":
        if not isinstance(given, str):
            return None
        from agentctl.tools.patterns import fits

        return fits(bound, given)
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        return None
    below, same = given < bound, given == bound
    found = {"lt": below, "lte": below or same, "gt": not below and not same, "gte": not below}
    return bool(found[key])


def _glob(pattern: str, given: Any, *, every: bool) -> bool | None:
    if not isinstance(given, str):
        return None
    forms = {plain_form(given)} if every else {plain_form(given), given}
    return any(glob_fits(pattern, form) for form in forms)


def plain_form(text: str) -> str:
    """A URL or path without detours: host in lower case, no default port, no `.`, `..`, `//` and `%2e`."""
    if _URL.match(text):
        return _plain_url(text)
    if "/" not in text:
        return text
    plain = posixpath.normpath(text)
    return plain.removeprefix("/") if plain.startswith("//") and not text.startswith("//") else plain


def _plain_url(text: str) -> str:
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        return text
    host = (parts.hostname or "").rstrip(".")
    if port is not None and port != _PORTS.get(parts.scheme.lower()):
        host = f"{host}:{port}"
    path = posixpath.normpath(unquote(parts.path)) if parts.path else "/"
    if parts.path.endswith("/") and not path.endswith("/"):
        path += "/"
    # Two slashes at the beginning would survive, and be read as the host of another URL.
    path = "/" + path.lstrip("/")
    return urlunsplit((parts.scheme.lower(), host, path, parts.query, ""))


def glob_fits(pattern: str, text: str) -> bool:
    """Whether all of `text` matches: `*` is anything but `/`, `**` anything, all else is itself.

    Takes time in proportion to the product of both lengths, whatever they hold.
    """
    tokens = re.findall(r"\*\*|.", pattern, re.DOTALL)
    states = _skip({0}, tokens)
    for character in text:
        following = set()
        for state in states:
            token = tokens[state] if state < len(tokens) else ""
            if token == "**" or (token == "*" and character != "/"):
                following.add(state)
            elif token == character and token != "*":
                following.add(state + 1)
        states = _skip(following, tokens)
        if not states:
            return False
    return len(tokens) in states


def _skip(states: set[int], tokens: list[str]) -> set[int]:
    """The states that are reached without a character: a star may stand for nothing."""
    reached = set(states)
    for state in states:
        following = state
        while following < len(tokens) and tokens[following] in ("*", "**"):
            following += 1
            reached.add(following)
    return reached


def check_condition(condition: Any) -> str | None:
    """What is wrong with a condition, None for a good one."""
    if isinstance(condition, list):
        faults = [check_condition(each) for each in condition] or ["an empty list never holds"]
        return next(filter(None, faults), None)
    if isinstance(condition, Mapping):
        return _check_mapping(condition)
    if isinstance(condition, (str, int, float)):
        return None
    return (
        "a condition is text with * and **, a number, {re: ...}, {lt, lte, gt, gte: ...} or a list of these"
    )


def _check_mapping(condition: Mapping[str, Any]) -> str | None:
    unknown = [key for key in condition if key not in ("re", *_ORDERS)]
    if unknown or not condition:
        return f"{unknown[0] if unknown else 'an empty mapping'} is no condition: use re, lt, lte, gt or gte"
    for key, bound in condition.items():
        if key == "re":
            try:
                re.compile(bound)
            except (re.error, TypeError) as error:
                return f"re: no regular expression: {error}"
        elif isinstance(bound, bool) or not isinstance(bound, (int, float)):
            return f"{key}: needs a number"
    return None


def _any(found: Any) -> bool | None:
    found = list(found)
    return True if True in found else None if None in found else False


def _all(found: Any) -> bool | None:
    found = list(found)
    return False if False in found else None if None in found else True
