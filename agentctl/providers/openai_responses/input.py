"""Turns a history into the input items of a request, so that any server accepts them.

Every call is answered and every answer called for, neighbours of one role are merged, and sealed reasoning
stands before what it led to.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentctl.domain.message import Message, ToolCall
from agentctl.providers.base import ModelRequest
from agentctl.providers.openai_responses.user import build_content
from agentctl.providers.wire.call_ids import CallIds
from agentctl.providers.wire.calls import given_arguments
from agentctl.providers.wire.outputs import collect_outputs, take_output

Item = dict[str, Any]

_PLAIN = {"type", "role", "content"}


def build_input(request: ModelRequest, *, sealed: bool = True) -> list[Item]:
    """The `input` of a request, with the reasoning of the same origin where `sealed` is True.

    Results are found by call id wherever they stand and follow their calls; those without a call are left
    out, and a call without a result gets one that says so.
    """
    items: list[Item] = []
    outputs = collect_outputs(request.messages)
    ids = CallIds(plain=True)
    # A server may use an id again, but no request may.
    seen: set[str] = set()
    for message in request.messages:
        if message.role == "user":
            content = build_content(message)
            items += [{"type": "message", "role": "user", "content": content}] if content else []
        elif message.role == "assistant":
            calls = [(ids.assign(call.id), call) for call in message.calls]
            replay = message.replay if message.origin == request.origin else {}
            thoughts = list(_find_sealed(replay, seen)) if sealed else []
            items += _build_turn(message, calls, replay, thoughts)
            items += [
                {
                    "type": "function_call_output",
                    "call_id": call_id,
                    "output": take_output(outputs, call).text,
                }
                for call_id, call in calls
            ]
    return _merge_neighbours(items)


def _find_sealed(replay: Mapping[str, Any], seen: set[str]) -> Iterator[Item]:
    """The reasoning items that a server accepts: sealed, with a summary, without plain thoughts or status."""
    for raw in replay.get("reasoning_items") or ():
        item_id, summary = raw.get("id"), raw.get("summary")
        named = {"id": item_id} if item_id and isinstance(item_id, str) else {}
        if not raw.get("encrypted_content") or seen.intersection(named.values()):
            continue
        seen.update(named.values())
        yield {
            "type": "reasoning",
            **named,
            "summary": summary if isinstance(summary, list) else [],
            "encrypted_content": raw["encrypted_content"],
        }


def _build_turn(
    message: Message,
    calls: Sequence[tuple[str, ToolCall]],
    replay: Mapping[str, Any],
    thoughts: list[Item],
) -> list[Item]:
    """What one answer consisted of, in its order; reasoning that nothing follows is left out."""
    layout = replay.get("layout") or _guess_layout(message, len(thoughts), len(calls))
    texts = _cut_text(message.text, layout)
    waiting: Mapping[str, deque[Item]] = {
        "reasoning": deque(thoughts),
        "message": deque(texts),
        "function_call": deque(_build_call(call_id, call) for call_id, call in calls),
    }
    # What the layout does not know stands at the end.
    order = [
        *(each["type"] for each in layout),
        *(["message"] * len(texts)),
        *(["function_call"] * len(calls)),
    ]
    turn = [waiting[kind].popleft() for kind in order if waiting[kind]]
    turn = [item for item in turn if item.get("content") != ""]
    while turn and turn[-1]["type"] == "reasoning":
        turn.pop()
    return turn


def _guess_layout(message: Message, thoughts: int, calls: int) -> list[Mapping[str, Any]]:
    said = {"type": "message", "length": len(message.text)}
    return [*([{"type": "reasoning"}] * thoughts), said, *([{"type": "function_call"}] * calls)]


def _cut_text(text: str, layout: Sequence[Mapping[str, Any]]) -> list[Item]:
    """The messages that `text` was made of: cut where the layout says so, one where that does not fit."""
    pieces: list[Item] = []
    rest = text
    for each in layout:
        if each["type"] == "message":
            rest = rest.removeprefix("\n\n") if pieces else rest
            pieces.append(_build_text(rest[: each["length"]], each.get("phase")))
            rest = rest[each["length"] :]
    return [_build_text(text, None)] if rest or not pieces else pieces


def _build_text(text: str, phase: str | None) -> Item:
    item: Item = {"type": "message", "role": "assistant", "content": text.rstrip()}
    return {**item, "phase": phase} if phase else item


def _build_call(call_id: str, call: ToolCall) -> Item:
    text = json.dumps(given_arguments(call), ensure_ascii=False)
    return {"type": "function_call", "call_id": call_id, "name": call.name, "arguments": text}


def _merge_neighbours(items: list[Item]) -> list[Item]:
    """Two plain messages of one role in a row become one; many servers refuse them otherwise."""
    merged: list[Item] = []
    for item in items:
        last = merged[-1] if merged else None
        if last and last.get("role") == item.get("role") and last.keys() == item.keys() == _PLAIN:
            merged[-1] = {**last, "content": _join(last["content"], item["content"])}
        else:
            merged.append(item)
    return merged


def _join(first: Any, second: Any) -> Any:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*_list_parts(first), *_list_parts(second)]


def _list_parts(content: Any) -> list[Item]:
    return [{"type": "input_text", "text": content}] if isinstance(content, str) else content
