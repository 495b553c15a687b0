"""What of an answer must go back to its model unchanged, and where in the answer it stood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentctl.providers.anthropic.blocks import OpenBlock

THOUGHTS = ("thinking", "redacted_thinking")
# Thoughts, then words, then calls: how nearly every answer is made, and how one is put together again.
_USUAL = {"thinking": 0, "redacted_thinking": 0, "text": 1, "tool_use": 2}


def build_replay(blocks: Sequence[OpenBlock]) -> dict[str, Any]:
    """`thinking`: the signed thoughts. `content`: all blocks, only where their order or kind is unusual.

    What a tool of the provider did is known to nobody else, and thoughts between words or calls must stay
    where they were.
    """
    sent = [block for block in (each.as_sent() for each in blocks) if block is not None]
    thoughts = [block for block in sent if block["type"] in THOUGHTS]
    fields: Mapping[str, Any] = {"thinking": thoughts, "content": [] if _is_usual(sent) else sent}
    return {name: value for name, value in fields.items() if value}


def _is_usual(sent: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the blocks can be put together again from thoughts, words and calls."""
    ranks = [_USUAL.get(block["type"], -1) for block in sent if block.get("text") != ""]
    return ranks == sorted(ranks) and -1 not in ranks
