"""Finds the parameter that a server does not accept, so that it can be left out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

_NEEDED = frozenset({"input", "instructions", "messages", "model", "stream", "system", "tools"})
_CODES = frozenset({"unknown_parameter", "unsupported_parameter", "unsupported_value"})
_WORDS = (
    r"(?i)unsupported|not support|unrecognized|unknown|unexpected|not permitted|not allowed|extra_forbidden"
    r"|extra (?:fields|inputs)|additional propert|deprecated|cannot both"
)
# A server that refuses a schema says so in a hundred ways (DeepSeek: "This response_format type is
# unavailable now", Gemini: "a response mime type ... is unsupported"); there is always another way to ask.
_SCHEMA = r"(?i)response.?format|response.?mime|json.?(?:schema|mode)|output_config\.format|text\.format"
_SCHEMA_FIELDS = ("response_format", "text", "output_config.format")


def find_refused(status: int, body: Any, sent: Collection[str]) -> str | None:
    """The name among `sent` that an answer of status 400 or 422 complains about, None if it is another fault.

    `sent` holds members of a parameter as `parameter.member`. A structured `param` decides; without one,
    prose must say that something is unknown or unsupported, and the first name in it that was sent is the
    one. What a request cannot do without is never named.
    """
    # A list is how Gemini wraps its errors.
    body = body[0] if isinstance(body, list) and body else body
    if isinstance(body, list) and body:
        body = body[0]
    if status not in (400, 422) or not isinstance(body, Mapping):
        return None
    optional = set(sent) - _NEEDED
    error = body.get("error")
    error = error if isinstance(error, Mapping) else body
    parameter, code = (_text(error.get(key)) for key in ("param", "code"))
    if code in _CODES and parameter:
        path = re.split(r"[.\[]", parameter)
        return next((name for name in (".".join(path[:2]), path[0]) if name in optional), None)
    if code == "invalid_encrypted_content" and "include" in optional:
        # Reasoning that was sealed for another account: it is neither sent nor asked for any more.
        return "include"
    text = " ".join(_words(body))
    if parameter in optional and re.search(_WORDS, text):
        return parameter
    schema_field = next((name for name in _SCHEMA_FIELDS if name in optional), None)
    if schema_field and re.search(_SCHEMA, text):
        return schema_field
    if not re.search(_WORDS, text):
        return None
    places = [(match.start(), -len(name), name) for name in optional if (match := _find_name(name, text))]
    return min(places)[2] if places else None


def _text(value: Any) -> str:
    """The value where it is text; some servers put objects and lists where others put words."""
    return value if isinstance(value, str) else ""


def _find_name(name: str, text: str) -> re.Match[str] | None:
    # xAI calls it "reasoningEffort".
    spelt = re.escape(name).replace("_", "_?")
    found = re.search(rf"(?i)\b{spelt}\b", text)
    member = name.partition(".")[2]
    # "does not support the effort parameter": a word alone would be found in any prose.
    return found or (re.search(rf"\b{re.escape(member)}\W? parameter\b", text) if member else None)


def _words(value: Any, depth: int = 6) -> Iterator[str]:
    """Every text in a decoded body."""
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, (Mapping, list)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _words(item, depth - 1)
