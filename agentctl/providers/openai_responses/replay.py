"""What of an answer its own model must get back: sealed reasoning, and the order of what was said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentctl.providers.openai_responses.item import OutputItem

_ORDER = ("reasoning", "message", "function_call")


def keep(items: Iterable[OutputItem]) -> dict[str, Any]:
    """The fields of `Reply.replay`.

    `reasoning_items` are the raw items that hold `encrypted_content`. `layout` lists everything in order:
    `{"type"}`, a message with the length of its text and its phase; it is left out where it would say
    nothing: reasoning, at most one message without a phase, calls.
    """
    shown = [item for item in items if _counts(item)]
    sealed = [dict(item.sealed) for item in shown if item.sealed]
    if not sealed and not any(item.phase for item in shown):
        return {}
    kept: dict[str, Any] = {"reasoning_items": sealed} if sealed else {}
    if not _is_plain(shown):
        kept["layout"] = [_describe(item) for item in shown]
    return kept


def _counts(item: OutputItem) -> bool:
    if item.kind == "reasoning":
        return bool(item.sealed)
    return item.kind == "function_call" or (item.kind == "message" and bool(item.text))


def _is_plain(items: list[OutputItem]) -> bool:
    places = [_ORDER.index(item.kind) for item in items]
    return places == sorted(places) and places.count(1) < 2 and not any(item.phase for item in items)


def _describe(item: OutputItem) -> Mapping[str, Any]:
    if item.kind != "message":
        return {"type": item.kind}
    phase = {"phase": item.phase} if item.phase else {}
    return {"type": item.kind, "length": len(item.text), **phase}
