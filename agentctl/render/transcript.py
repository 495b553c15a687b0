"""A conversation as people read it: who spoke, what they said, what was called and what came back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from agentctl.domain.message import File, Message, Text, ToolCall, ToolOutput
from agentctl.render.controls import show_controls, strip_controls


def transcript(messages: Iterable[Message]) -> str:
    """The messages one after the other, a blank line between them."""
    return "\n\n".join("\n".join(_lines(message)) for message in messages)


def _lines(message: Message) -> Iterator[str]:
    status = "" if message.status == "complete" else f" ({message.status})"
    if message.role != "tool":
        yield f"{message.role}{status}:"
    for part in message.parts:
        match part:
            case Text(text):
                yield strip_controls(text.strip("\n"))
            case File(name, media_type):
                yield f"[{show_controls(name)}, {media_type}]"
            case ToolCall(_, name, arguments, raw):
                sent = raw if arguments is None else json.dumps(dict(arguments), ensure_ascii=False)
                yield f"· {name} {show_controls(sent or '')}"
            case ToolOutput(_, name, text, _):
                yield f"{name} -> {strip_controls(text)}"
