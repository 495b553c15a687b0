"""Turns a history into the messages of a request, so that any server accepts them.

One leading system message, neighbours of one role merged, every call answered and every answer called for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentctl.domain.message import Message, ToolCall
from agentctl.providers.base import ModelRequest
from agentctl.providers.openai_chat.files import build_content
from agentctl.providers.openai_chat.options import ChatOptions
from agentctl.providers.wire.call_ids import CallIds
from agentctl.providers.wire.calls import given_arguments
from agentctl.providers.wire.outputs import Outputs, collect_outputs, take_output
from agentctl.providers.wire.structured import with_schema


def build_messages(
    request: ModelRequest, options: ChatOptions, schema: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """The `messages` of a request; `schema` is asked for in words.

    Results are found by call id wherever they stand and follow their call; those without a call are left out,
    and a call without a result gets one that says so. Raises UsageError for a file that cannot be sent.
    """
    wire: list[dict[str, Any]] = []
    system = with_schema(request.system, schema)
    if system.strip():
        wire.append({"role": "system", "content": system})
    outputs = collect_outputs(request.messages)
    ids = CallIds(short=options.short_call_ids)
    newest = max((at for at, message in enumerate(request.messages) if message.role == "user"), default=0)
    for position, message in enumerate(request.messages):
        if message.role == "user" and (message.files or message.text.strip()):
            content = build_content(message, is_newest=position == newest)
            wire.append({"role": "user", "content": content})
        elif message.role == "assistant":
            wire += _build_turn(message, request.origin, options, outputs, ids)
    return _merge_neighbours(wire)


def _build_turn(
    message: Message,
    origin: str,
    options: ChatOptions,
    outputs: Outputs,
    ids: CallIds,
) -> list[dict[str, Any]]:
    """An assistant message and the results of its calls; nothing where it holds neither words nor calls."""
    calls = [(ids.assign(call.id), call) for call in message.calls]
    # Some servers refuse an answer that ends in white space or has nothing else.
    text = message.text.rstrip()
    if not calls and not text:
        return []
    entry: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        entry["tool_calls"] = [_build_call(call_id, call) for call_id, call in calls]
    if message.origin == origin:
        _add_replay(entry, message, options)
    if calls and options.replay_reasoning:
        # Calls without reasoning are refused, also those of another model or of a time without thinking.
        entry.setdefault("reasoning_content", "")
    results = []
    for call_id, call in calls:
        text = take_output(outputs, call).text
        results.append({"role": "tool", "tool_call_id": call_id, "content": text})
    return [entry, *results]


def _build_call(call_id: str, call: ToolCall) -> dict[str, Any]:
    text = json.dumps(given_arguments(call), ensure_ascii=False)
    return {"id": call_id, "type": "function", "function": {"name": call.name, "arguments": text}}


def _add_replay(entry: dict[str, Any], message: Message, options: ChatOptions) -> None:
    """Give the model back what only its own provider understands."""
    details = message.replay.get("reasoning_details")
    if details:
        entry["reasoning_details"] = details
    thoughts = message.replay.get("reasoning_content") or message.reasoning
    if thoughts and (options.replay_reasoning == "all" or (options.replay_reasoning and message.calls)):
        entry["reasoning_content"] = thoughts
    extras = message.replay.get("call_extras") or ()
    for call, extra in zip(entry.get("tool_calls", ()), extras, strict=False):
        if extra:
            call["extra_content"] = extra


def _merge_neighbours(wire: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two messages of one role in a row become one; many servers refuse them otherwise."""
    merged: list[dict[str, Any]] = []
    for entry in wire:
        last = merged[-1] if merged else None
        if last is None or last["role"] != entry["role"] or entry["role"] == "tool" or "tool_calls" in last:
            merged.append(entry)
        else:
            merged[-1] = _merge(last, entry)
    return merged


def _merge(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """One message of two, their words and thoughts behind each other."""
    merged = {**first, **second}
    for name in first.keys() & second.keys() - {"role"}:
        merged[name] = _join(first[name], second[name])
    return merged


def _join(first: Any, second: Any) -> Any:
    """Texts with an empty line between them, lists in one; where one is a list of parts, so is the whole."""
    if not first or not second:
        return first or second
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*_list_parts(first), *_list_parts(second)]


def _list_parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
