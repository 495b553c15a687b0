"""Reads the arguments of a tool call as models write them."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from agentctl.domain.surrogates import mend


def read_arguments(raw: str) -> dict[str, Any] | None:
    """The JSON object in `raw` ({} for an empty text), None where it is none."""
    if not raw.strip():
        return {}
    try:
        value = json.loads(raw, strict=False, parse_constant=_refuse, parse_float=_read_float)
        if "\\u" in raw:
            # An escape can make half a pair, which neither UTF-8 nor SQLite can hold.
            value = json.loads(mend(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _read_float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
