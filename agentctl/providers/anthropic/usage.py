"""Reads the token counts of a Messages answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.message import Usage

_NEW, _READ, _WRITTEN, _OUTPUT, _THOUGHT = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
    "thinking_tokens",
)


class UsageCounter:
    """Takes usage objects as they come; the last value of each count wins, nothing is summed over time."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def take(self, raw: Any) -> None:
        """Take in a `usage` object; counts that it leaves out, or has as null, keep their value."""
        if not isinstance(raw, Mapping):
            return
        details = raw.get("output_tokens_details")
        details = details if isinstance(details, Mapping) else {}
        thought = details.get("thinking_tokens", details.get("reasoning_tokens"))
        for name, count in ((_THOUGHT, thought), *raw.items()):
            if name in (_NEW, _READ, _WRITTEN, _OUTPUT, _THOUGHT) and _is_count(count):
                self._counts[name] = int(count)

    def close(self) -> Usage | None:
        """The whole usage: what the cache gave and took is a part of the input. None where none came."""
        if not self._counts:
            return None
        counts = {name: self._counts.get(name, 0) for name in (_NEW, _READ, _WRITTEN, _OUTPUT, _THOUGHT)}
        return Usage(
            input=counts[_NEW] + counts[_READ] + counts[_WRITTEN],
            output=counts[_OUTPUT],
            cached=counts[_READ],
            reasoning=counts[_THOUGHT],
            cache_write=counts[_WRITTEN],
        )


def _is_count(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 2**53
