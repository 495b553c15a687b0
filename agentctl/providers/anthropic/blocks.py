"""Puts the content blocks of an answer together from the events in which they arrive."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentctl.domain.surrogates import mend
from agentctl.providers.arguments import read_arguments
from agentctl.providers.base import WireCall
from agentctl.providers.wire.calls import close_call

# What a delta adds to, by its type. https://platform.claude.com/docs/en/build-with-claude/streaming
_FIELDS = {
    "input_json_delta": "partial_json",
    "signature_delta": "signature",
    "text_delta": "text",
    "thinking_delta": "thinking",
}
_KINDS = {"partial_json": "tool_use", "signature": "thinking", "text": "text", "thinking": "thinking"}
_WITH_INPUT = ("tool_use", "server_tool_use", "mcp_tool_use")


class OpenBlock:
    """One content block; `start` is the block as it began, without what deltas add."""

    __slots__ = ("citations", "kind", "pieces", "start", "strange")

    def __init__(self, start: Mapping[str, Any]) -> None:
        self.kind = _text(start.get("type"))
        self.start = start
        self.citations: list[Any] = list(start.get("citations") or ())
        self.pieces: dict[str, list[str]] = {}
        self.strange = False

    def takes(self, name: str) -> bool:
        """Whether text under `name` can belong to this block."""
        return self.kind in _WITH_INPUT if name == "partial_json" else self.kind == _KINDS[name]

    def add(self, name: str, piece: str) -> None:
        """Take in a piece of what stands under `name`."""
        self.pieces.setdefault(name, []).append(piece)

    def join(self, name: str) -> str:
        """All that came under `name`; what deltas say beats the beginning, except that texts follow it."""
        added = "".join(self.pieces.get(name, ()))
        began = _text(self.start.get(name))
        return mend(began + added if name in ("text", "thinking") else added or began)

    def raw_input(self) -> str:
        """The arguments of a call as text; "" where there are none."""
        added = "".join(self.pieces.get("partial_json", ()))
        given = self.start.get("input")
        if added.strip() or not given:
            return mend(added)
        return mend(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))

    def as_call(self, *, run: bool, cut: bool) -> WireCall:
        """The call in a `tool_use` block; `cut` says that the answer was ended in the middle of it."""
        raw = self.raw_input()
        call = close_call(_text(self.start.get("id")), _text(self.start.get("name")), raw, run=run)
        # Nothing at all would be read as "no arguments", and such a call would be run.
        return WireCall(call.id, call.name, None, raw, False) if cut and not raw.strip() else call

    def as_sent(self) -> dict[str, Any] | None:
        """The block as it goes back to its model; None where it must not.

        A `tool_use` is only its place: the call itself is stored, with an id of ours.
        """
        if self.strange:
            return None
        if self.kind == "thinking":
            signature = self.join("signature")
            # Only what is signed is known to be the model's own, and nothing else is accepted.
            whole = {"type": "thinking", "thinking": self.join("thinking"), "signature": signature}
            return whole if signature else None
        if self.kind == "text":
            cited = {"citations": self.citations} if self.citations else {}
            return {"type": "text", "text": self.join("text"), **cited}
        if self.kind == "tool_use":
            return {name: self.start[name] for name in ("type", "caller") if self.start.get(name)}
        if self.kind in _WITH_INPUT:
            arguments = read_arguments(self.raw_input())
            return None if arguments is None else {**self.start, "input": arguments}
        return dict(self.start) if self.kind else None


class Blocks:
    """All blocks of one answer, in the order in which they began."""

    def __init__(self) -> None:
        self.all: list[OpenBlock] = []
        self._by_index: dict[Any, OpenBlock] = {}

    def start(self, index: Any, block: Mapping[str, Any]) -> OpenBlock:
        """Begin a block."""
        opened = OpenBlock(block)
        self.all.append(opened)
        self._by_index[index if isinstance(index, int) else None] = opened
        return opened

    def find(self, index: Any) -> OpenBlock | None:
        """The block that a delta belongs to: by index, else the last one."""
        if isinstance(index, int):
            return self._by_index.get(index)
        return self.all[-1] if self.all else None

    def take_delta(self, index: Any, delta: Mapping[str, Any]) -> tuple[str, str]:
        """Add a delta; returns what it added to, and the text. A block that was never begun begins here."""
        kind = delta.get("type")
        name = _FIELDS.get(kind, "") if isinstance(kind, str) else next((n for n in _KINDS if n in delta), "")
        block = self.find(index)
        if not name:
            self._take_other(block, delta)
            return "", ""
        piece = _text(delta.get(name))
        if piece:
            if block is None or not block.takes(name):
                block = self.start(index, {"type": _KINDS[name]})
            block.add(name, piece)
        return name, piece

    def calls(self, *, run: bool, cut: bool) -> tuple[WireCall, ...]:
        """The calls; none of them is to be run where `run` is False or its arguments are no object."""
        last = self.all[-1] if self.all else None
        return tuple(
            block.as_call(run=run, cut=cut and block is last)
            for block in self.all
            if block.kind == "tool_use"
        )

    def _take_other(self, block: OpenBlock | None, delta: Mapping[str, Any]) -> None:
        if block is None:
            return
        if delta.get("type") == "citations_delta":
            block.citations.append(delta.get("citation"))
        elif block.kind not in ("text", "thinking", "tool_use"):
            # A part that nobody knows is missing now, so the block cannot go back as it was.
            block.strange = True


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
