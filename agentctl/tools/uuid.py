"""The tool type `uuid`."""

from __future__ import annotations

import os
from dataclasses import field
from typing import Any, Literal

from agentctl.domain.ids import now_ms
from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.base import ToolType


@value
class UuidArguments:
    """Which kind, and how many."""

    # As text, for some providers accept no choices but texts.
    version: Literal["4", "7"] = field(default="4", metadata={"description": "4 is random, 7 sorts by time."})
    count: int = field(default=1, metadata={"description": "How many.", "minimum": 1, "maximum": 100})


class Uuid(ToolType):
    """Makes identifiers. At most a hundred, so it runs in place."""

    type = "uuid"
    description = 'Makes new UUIDs. Example: {"version": "4", "count": 1}.'
    Arguments = UuidArguments

    async def run(self, arguments: UuidArguments, context: ToolContext) -> dict[str, Any]:
        """`uuids`: those of version 7 in increasing order."""
        if arguments.version == "4":
            return {"uuids": [_spell(_random(128), 4) for _ in range(arguments.count)]}
        return {"uuids": _ordered(arguments.count)}


def _ordered(count: int) -> list[str]:
    """UUIDs of version 7, of one millisecond: a counter in rand_a keeps their order (RFC 9562, 6.2)."""
    milliseconds = now_ms() & (1 << 48) - 1
    first = _random(11)  # the top bit of twelve stays free, so that the counter cannot run over
    return [_spell(milliseconds << 80 | (first + place) << 64 | _random(62), 7) for place in range(count)]


def _spell(bits: int, version: int) -> str:
    """128 bits as text, with the fields for version and variant set (RFC 9562, 4)."""
    bits = bits & ~(0xF << 76) | version << 76
    bits = bits & ~(0b11 << 62) | 0b10 << 62
    text = f"{bits:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _random(bits: int) -> int:
    """As many random bits, straight from the system: the secrets module is slow to import."""
    return int.from_bytes(os.urandom(16)) >> (128 - bits)
