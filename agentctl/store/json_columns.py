"""JSON columns: compact text in, plain values out."""

from __future__ import annotations

import json
from typing import Any

from agentctl.domain.surrogates import mend


def to_json(value: Any) -> str:
    """Compact JSON; characters outside ASCII stay readable, lone surrogates become U+FFFD."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
    return mend(text)


def from_json(text: str | None) -> Any:
    """The value behind a JSON column; None for NULL."""
    return None if text is None else json.loads(text)
