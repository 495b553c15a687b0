"""Finds the parameter that a server does not accept, so that it can be left out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

_NEEDED = frozenset({"messages", "model", "stream", "tools"})
_CODES = frozenset({"unknown_parameter", "unsupported_parameter", "unsupported_value"})
_WORDS = (
    r"(?i)unsupported|not support|unrecognized|unknown|unexpected|not permitted|not allowed|extra_forbidden"
    r"|extra (?:fields|inputs)|additional propert"
)


def find_refused(status: int, body: Any, sent: Collection[str]) -> str | None:
    """The name among `sent` that an answer of status 400 or 422 complains about, None if it is another fault.

    A structured `param` decides; without one, prose must say that something is unknown or unsupported and
    name a parameter that was sent. What a request cannot do without is never named.
    """
    if status not in (400, 422) or not isinstance(body, Mapping):
        return None
    optional = sorted(set(sent) - _NEEDED, key=len, reverse=True)
    error = body.get("error")
    error = error if isinstance(error, Mapping) else body
    parameter = error.get("param")
    if isinstance(parameter, str) and error.get("code") in _CODES:
        name = re.split(r"[.\[]", parameter, maxsplit=1)[0]
        return name if name in optional else None
    text = " ".join(_words(body))
    if not re.search(_WORDS, text):
        return None
    return next((name for name in optional if re.search(rf"\b{re.escape(name)}\b", text)), None)


def _words(value: Any, depth: int = 6) -> Iterator[str]:
    """Every text in a decoded body."""
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, (Mapping, list)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _words(item, depth - 1)
