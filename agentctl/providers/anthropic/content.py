"""The content blocks of one message, as they go to the server."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Collection, Sequence
from typing import Any

from agentctl.domain.message import File, Message, Text, ToolCall
from agentctl.providers.anthropic.replay import THOUGHTS
from agentctl.providers.wire.calls import given_arguments
from agentctl.providers.wire.files import describe_missing

_ODD = r"[^a-zA-Z0-9_-]"
_LONGEST_NAME = 128

Block = dict[str, Any]
Calls = Sequence[tuple[str, ToolCall]]


def build_user(message: Message) -> list[Block]:
    """What the user said and attached, in order, without what is blank."""
    blocks: list[Block] = []
    for part in message.parts:
        if isinstance(part, File):
            blocks.append(_build_file(part))
        elif isinstance(part, Text):
            blocks += _build_text(part.text)
    return blocks


def build_turn(message: Message, calls: Calls, *, own: bool, pending: Collection[str]) -> list[Block]:
    """What the model said and called; `own` says that this very model did, and gets its own blocks back.

    `pending` are the calls of the provider's own tools that may be without a result.
    """
    blocks = _replay(message, calls, pending) if own else None
    if blocks is None:
        thoughts = list(message.replay.get("thinking") or ()) if own else []
        blocks = [*thoughts, *_build_text(message.text), *(_build_call(*call) for call in calls)]
    # Thoughts of which nothing came are refused at the end of a message.
    while blocks and blocks[-1]["type"] in THOUGHTS:
        blocks.pop()
    return blocks


def _replay(message: Message, calls: Calls, pending: Collection[str]) -> list[Block] | None:
    """The blocks in the order in which they came, None where none were kept or the message is another now."""
    content = message.replay.get("content") or ()
    words = "".join(block["text"] for block in content if block["type"] == "text")
    places = sum(block["type"] == "tool_use" for block in content)
    if not content or words != message.text or (calls and places != len(calls)):
        return None
    answered = {block.get("tool_use_id") for block in content}
    blocks: list[Block] = []
    left = iter(calls)
    for block in content:
        if block["type"] == "tool_use":
            blocks += [{**_build_call(*call), **block} for call in [next(left, None)] if call]
        elif block["type"] == "text":
            blocks += [block] if block["text"].strip() else []
        elif "input" not in block or block.get("id") in answered or block.get("id") in pending:
            blocks.append(block)
    return blocks


def _build_text(text: str) -> list[Block]:
    return [{"type": "text", "text": text}] if text.strip() else []


def _build_call(call_id: str, call: ToolCall) -> Block:
    """A call on the wire; a name that a model made up is refused where it breaks the rules for names."""
    name = re.sub(_ODD, "_", call.name)[:_LONGEST_NAME] or "unknown"
    return {"type": "tool_use", "id": call_id, "name": name, "input": given_arguments(call)}


def _build_file(file: File) -> Block:
    """An image or a document, by its bytes or for the server to fetch; a note where neither is left."""
    if file.data is not None:
        data = b64encode(file.data).decode()
        source = {"type": "base64", "media_type": file.media_type, "data": data}
    elif file.url:
        source = {"type": "url", "url": file.url}
    else:
        return {"type": "text", "text": describe_missing(file)}
    return {"type": "document" if file.kind == "pdf" else "image", "source": source}
