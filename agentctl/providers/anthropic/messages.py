"""Turns a history into the messages of a request, so that the server accepts them.

Roles alternate and begin with the user, no block is empty, every call is answered at once, and every answer
was called for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentctl.domain.message import Message, ToolCall
from agentctl.providers.anthropic.content import Block, build_turn, build_user
from agentctl.providers.anthropic.replay import THOUGHTS
from agentctl.providers.base import ModelRequest
from agentctl.providers.wire.call_ids import CallIds
from agentctl.providers.wire.outputs import Outputs, collect_outputs, take_output

# A history must begin with the user; where it does not, nobody knows any more what the user said.
_LOST = "[What was said before is not shown.]"


def build_messages(request: ModelRequest, *, thinks: bool = True) -> list[dict[str, Any]]:
    """The `messages` of a request; `thinks` says whether the model is asked to think.

    Results are found by call id wherever they stand and follow their call; those without a call are left out,
    and a call without a result gets one that says so. An assistant message at the end is a turn that the
    provider paused: it goes back as it came.
    """
    wire: list[dict[str, Any]] = []
    outputs = collect_outputs(request.messages)
    ids = CallIds(plain=True)
    pending = _find_pending(request)
    for message in request.messages:
        if message.role == "user":
            _append(wire, "user", build_user(message))
        elif message.role == "assistant":
            calls = [(ids.assign(call.id), call) for call in message.calls]
            own = message.origin == request.origin
            _append(wire, "assistant", build_turn(message, calls, own=own, pending=pending))
            _append(wire, "user", [_build_result(call_id, call, outputs) for call_id, call in calls])
    if wire and wire[0]["role"] == "assistant":
        wire.insert(0, {"role": "user", "content": [{"type": "text", "text": _LOST}]})
    return _close(wire, thinks=thinks)


def ends_in_thoughtless_calls(wire: Sequence[dict[str, Any]]) -> bool:
    """Whether the turn that is going on began without thoughts; a thinking budget is refused then."""
    if not wire or wire[-1]["role"] != "user" or wire[-1]["content"][0]["type"] != "tool_result":
        return False
    return wire[-2]["content"][0]["type"] not in THOUGHTS


def _append(wire: list[dict[str, Any]], role: str, content: list[Block]) -> None:
    """Add blocks; two messages of one role in a row become one."""
    if not content:
        return
    if wire and wire[-1]["role"] == role:
        wire[-1]["content"] += content
    else:
        wire.append({"role": role, "content": content})


def _build_result(call_id: str, call: ToolCall, outputs: Outputs) -> Block:
    result = take_output(outputs, call)
    block: Block = {"type": "tool_result", "tool_use_id": call_id}
    if result.text.strip():
        block["content"] = result.text
    if not result.success:
        block["is_error"] = True
    return block


def _find_pending(request: ModelRequest) -> frozenset[str]:
    """The tools of the provider that it still works on: called since the user last spoke, without a result.

    One that was left without a result before can never get one.
    """
    pending: set[str] = set()
    for message in request.messages:
        if message.role == "user":
            pending.clear()
        elif message.role == "assistant" and message.origin == request.origin:
            pending |= {str(block.get("id")) for block in _content(message) if "input" in block}
    return frozenset(pending)


def _content(message: Message) -> list[Block]:
    return [block for block in message.replay.get("content") or () if isinstance(block, dict)]


def _close(wire: list[dict[str, Any]], *, thinks: bool) -> list[dict[str, Any]]:
    """An assistant message at the very end: no white space there, and no thoughts unasked for."""
    if not wire or wire[-1]["role"] != "assistant":
        return wire
    content = wire.pop()["content"]
    if not thinks:
        content = [block for block in content if block["type"] not in THOUGHTS]
    while content and content[-1]["type"] == "text":
        last = content.pop()
        text = last["text"].rstrip()
        if text:
            content.append({**last, "text": text})
            break
    return [*wire, {"role": "assistant", "content": content}] if content else wire
