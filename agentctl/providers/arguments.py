"""Reads the arguments of a tool call as models write them."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from agentctl.domain.surrogates import mend

# Deeper values cannot be stored, checked or written again everywhere: Python and SQLite end at about 1,000.
DEEPEST = 100


def read_arguments(raw: str) -> dict[str, Any] | None:
    """The JSON object in `raw` ({} for an empty text), None where it is none or nests too deeply."""
    if not raw.strip():
        return {}
    try:
        value = json.loads(raw, strict=False, parse_constant=_refuse, parse_float=_read_float)
        if "\\u" in raw:
            # An escape can make half a pair, which neither UTF-8 nor SQLite can hold.
            value = json.loads(mend(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None
    if raw.count("{") + raw.count("[") > DEEPEST and is_deeper(value, DEEPEST):
        return None
    return value if isinstance(value, dict) else None


def is_deeper(value: Any, levels: int) -> bool:
    """Whether lists and mappings stand in each other more than `levels` deep in `value`, however deep."""
    row = [value] if isinstance(value, (dict, list)) else []
    for _ in range(levels):
        inner = (item for each in row for item in (each.values() if isinstance(each, dict) else each))
        row = [item for item in inner if isinstance(item, (dict, list))]
        if not row:
            return False
    return bool(row)


def _read_float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
