"""What may stand under `where` of a rule: said before a rule is kept, so that none is dead or too wide."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from agentctl.tools.plain_forms import find_host, plain_pattern

ORDERS = ("lt", "lte", "gt", "gte")
WORDS = (
    "a condition is text with * and **, a number, true or false, {re: ...}, {lt, lte, gt, gte: ...}, "
    "or a list of these"
)
LONGEST = 4_000


def check_condition(condition: Any, *, allows: bool) -> str | None:
    """What is wrong with a condition, None for a good one; more is asked of one that `allows`."""
    if isinstance(condition, list):
        faults = [check_condition(each, allows=allows) for each in condition] or ["an empty list never holds"]
        return next(filter(None, faults), None)
    if isinstance(condition, Mapping):
        return _check_mapping(condition)
    if isinstance(condition, str):
        return _check_glob(condition, allows=allows)
    return None if isinstance(condition, int | float) else WORDS


def _check_glob(pattern: str, *, allows: bool) -> str | None:
    if len(pattern) > LONGEST:
        return f"a pattern has at most {LONGEST:,} characters"
    try:
        plain_pattern(pattern)
    except ValueError as error:
        return str(error)
    host = find_host(pattern)
    if allows and host not in (None, "*", "**") and "*" in str(host).rpartition(".")[2]:
        return f"`{host}` ends in a star, so it would allow other hosts: write https://HOST/**"
    return None


def _check_mapping(condition: Mapping[str, Any]) -> str | None:
    unknown = [key for key in condition if key not in ("re", *ORDERS)]
    if unknown or not condition:
        return f"{unknown[0] if unknown else 'an empty mapping'} is no condition: use re, lt, lte, gt or gte"
    for key, bound in condition.items():
        fault = _check_pattern(bound) if key == "re" else _check_bound(bound)
        if fault:
            return f"{key}: {fault}"
    return None


def _check_pattern(pattern: Any) -> str | None:
    if not isinstance(pattern, str) or len(pattern) > LONGEST:
        return f"expected a regular expression of at most {LONGEST:,} characters"
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        return f"no regular expression: {error}"
    return None


def _check_bound(bound: Any) -> str | None:
    if isinstance(bound, bool) or not isinstance(bound, int | float) or not math.isfinite(bound):
        return "needs a number"
    return None
