"""What the value of a field may be: one check and one JSON Schema for each kind."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from agentctl.domain.agent import NAME_LENGTH, SLUG
from agentctl.errors import did_you_mean

LARGEST = 2**31 - 1
VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_API_VERSION = re.compile(r"api-version=[0-9]{4}-[0-9]{2}-[0-9]{2}(-preview)?|api-version=preview")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_TRUE_WORDS = frozenset({"yes", "on", "y", "true"})
_FALSE_WORDS = frozenset({"no", "off", "n", "false"})


@dataclass(frozen=True, slots=True)
class Kind:
    """`check` gives what is wrong with a value, or None; `schema` says the same to an editor.

    Where the value is a list, every item of it is checked as an `item`.
    """

    check: Callable[[Any], str | None]
    schema: Mapping[str, Any]
    item: Kind | None = None


def describe(value: Any) -> str:
    """A value in words, short enough for an error message."""
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a huge number" if len(str(value)) > 40 else f"the number {value}"
    if isinstance(value, str):
        return "text" if len(value) > 40 or _CONTROL.search(value) else f'"{value}"'
    return "a list" if isinstance(value, list) else "a mapping"


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        return None
    if isinstance(value, int | float):
        return f"expected text, got {describe(value)}: quote it"
    return f"expected text, got {describe(value)}"


def _filled(value: Any) -> str | None:
    if value == "" or (isinstance(value, str) and value.isspace()):
        return "must not be empty"
    return _text(value)


def _slug(value: Any) -> str | None:
    if not isinstance(value, str):
        return _text(value)
    if SLUG.match(value):
        return None
    if len(value) > 50:
        return f"a slug has at most 50 characters, this one has {len(value)}"
    return f"a slug is made of a-z, 0-9, _ and - only, got {describe(value)}"


def _name(value: Any) -> str | None:
    if not isinstance(value, str):
        return _text(value)
    if not value.strip():
        return "must not be empty"
    if len(value) > NAME_LENGTH:
        return f"a name has at most {NAME_LENGTH} characters, this one has {len(value)}"
    return "a name is one line without control characters" if _CONTROL.search(value) else None


def _switch(value: Any) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.lower() in _TRUE_WORDS:
        return f"`{value}` is text here; write true"
    if isinstance(value, str) and value.lower() in _FALSE_WORDS:
        return f"`{value}` is text here; write false"
    return f"expected true or false, got {describe(value)}"


def _whole(least: int) -> Callable[[Any], str | None]:
    def check(value: Any) -> str | None:
        if isinstance(value, bool) or not isinstance(value, int):
            return f"expected a whole number, got {describe(value)}"
        if value < least:
            return f"must be at least {least}, got {value}"
        return None if value <= LARGEST else f"must be at most {LARGEST:,}"

    return check


def _price(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"expected a number (USD per million tokens), got {describe(value)}"
    if not math.isfinite(value) or value < 0 or value > LARGEST:
        return f"expected a price of 0 or more, got {describe(value)}"
    return None


def _json(value: Any) -> str | None:
    """A mapping that can be stored as JSON: the one thing YAML knows more are infinite numbers."""
    if not isinstance(value, dict):
        return f"expected a mapping (`key: value`), got {describe(value)}"
    return "a number in it is infinite or none at all" if _has_infinite(value) else None


def _has_infinite(value: Any) -> bool:
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, dict):
        return any(_has_infinite(item) for item in value.values())
    return isinstance(value, list) and any(_has_infinite(item) for item in value)


def _words(value: Any) -> str | None:
    if isinstance(value, str):
        return "write the command as a list of words: [program, argument]"
    return "must not be empty" if value == [] else _list(value)


def _variable(value: Any) -> str | None:
    if isinstance(value, str) and VARIABLE_NAME.match(value):
        return None
    # The value is not shown: a key that was pasted here must not reach a log.
    return "expected the name of an environment variable; the key itself must not stand here"


def _one_or_more(value: Any) -> str | None:
    if not isinstance(value, list):
        return _filled(value)
    return None if value else "must not be an empty list"


def _list(value: Any) -> str | None:
    return None if isinstance(value, list) else f"expected a list (`- ...`), got {describe(value)}"


def _mapping(value: Any) -> str | None:
    return None if isinstance(value, dict) else f"expected a mapping (`key: value`), got {describe(value)}"


def choice(*words: str) -> Kind:
    """One of some words."""

    def check(value: Any) -> str | None:
        if value in words:
            return None
        guess = did_you_mean(value, words) if isinstance(value, str) else ""
        return f"expected one of {', '.join(words)}, got {describe(value)}{guess}"

    return Kind(check, {"enum": list(words)})


def version(only: int) -> Kind:
    """The version of the file format."""

    def check(value: Any) -> str | None:
        if type(value) is int and value == only:
            return None
        return f"this agentctl reads version {only}, got {describe(value)}"

    return Kind(check, {"const": only})


def whole(least: int) -> Kind:
    """A whole number of at least `least`."""
    return Kind(_whole(least), {"type": "integer", "minimum": least, "maximum": LARGEST})


def list_of(item: Kind) -> Kind:
    """A list, possibly empty."""
    return Kind(_list, {"type": "array", "items": item.schema}, item)


def _prompt(value: Any) -> str | None:
    if isinstance(value, dict):
        valid = list(value) == ["file"] and isinstance(value["file"], str) and value["file"] != ""
        return None if valid else "a prompt is text, or a mapping with `file:` and a path"
    return _text(value)


def _url(value: Any) -> str | None:
    if not isinstance(value, str):
        return _text(value)
    if "@" in value:
        # Not shown: it may hold a password.
        return "must not hold a user or password: use api_key_env or headers"
    try:
        parts = urlsplit(value)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        valid = False
    if not valid or " " in value or _CONTROL.search(value):
        return f"expected http://HOST or https://HOST, got {describe(value)}"
    # A query may hold a key. Azure's version of its API is the one that is known to hold none.
    known = not parts.query or _API_VERSION.fullmatch(parts.query)
    return None if known and not parts.fragment else "must end before any ? or #"


TEXT = Kind(_text, {"type": "string"})
FILLED = Kind(_filled, {"type": "string", "minLength": 1})
SLUG_TEXT = Kind(_slug, {"type": "string", "pattern": "^[a-z0-9_-]{1,50}$"})
NAME = Kind(_name, {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH})
SWITCH = Kind(_switch, {"type": "boolean"})
PRICE = Kind(_price, {"type": "number", "minimum": 0})
JSON = Kind(_json, {"type": "object"})
URL = Kind(_url, {"type": "string", "pattern": "^https?://"})
VARIABLE = Kind(_variable, {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})
WORDS = Kind(_words, {"type": "array", "items": TEXT.schema, "minItems": 1}, TEXT)
MODELS = Kind(
    _one_or_more,
    {"anyOf": [FILLED.schema, {"type": "array", "items": FILLED.schema, "minItems": 1}]},
    FILLED,
)
MAPPING = Kind(_mapping, {"type": "object"})
ENTRIES = Kind(_list, {"type": "array"})
PROMPT = Kind(
    _prompt,
    {
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "properties": {"file": {"type": "string", "description": "A path below this file's folder."}},
                "required": ["file"],
                "additionalProperties": False,
            },
        ]
    },
)
