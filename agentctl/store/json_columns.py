"""JSON columns: compact text in, plain values out."""

from __future__ import annotations

import json
from typing import Any


def to_json(value: Any) -> str:
    """Compact JSON; characters outside ASCII stay readable, lone surrogates become U+FFFD."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
    return clean(text)


def clean(text: str) -> str:
    """`text` with surrogate pairs joined and lone ones replaced, so that it can be stored as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def from_json(text: str | None) -> Any:
    """The value behind a JSON column; None for NULL."""
    return None if text is None else json.loads(text)
