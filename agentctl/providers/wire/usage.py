"""Reads token counts under the names of Chat Completions and of Responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.message import Usage

_PATHS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "input": (("prompt_tokens",), ("input_tokens",)),
    "output": (("completion_tokens",), ("output_tokens",)),
    "cached": (
        ("prompt_tokens_details", "cached_tokens"),
        ("input_tokens_details", "cached_tokens"),
        ("prompt_cache_hit_tokens",),
        ("cached_tokens",),
    ),
    "reasoning": (
        ("completion_tokens_details", "reasoning_tokens"),
        ("output_tokens_details", "reasoning_tokens"),
        ("reasoning_tokens",),
    ),
}


def read_usage(raw: Any, before: Usage | None) -> Usage | None:
    """The counts in `raw`; a count that is missing there keeps its value from `before`.

    Servers that report usage more than once report totals, so values replace each other and are never added.
    """
    if not isinstance(raw, Mapping):
        return before
    counts: dict[str, int] = {}
    for field, paths in _PATHS.items():
        for path in paths:
            value = _follow(raw, path)
            if value is not None:
                counts[field] = value
                break
    if not counts:
        return before
    return Usage(**{**(before.as_dict() if before else {}), **counts})


def _follow(raw: Mapping[str, Any], path: tuple[str, ...]) -> int | None:
    value: Any = raw
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 2**53:
        return None
    return int(value)
