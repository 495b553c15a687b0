"""Conversations in a few words."""

from __future__ import annotations

from typing import Any

from agentctl.domain.message import Message, Text, ToolCall, ToolOutput
from tests.providers.openai_responses.streams import reasoning

ORIGIN = "mine/m"


def user(*parts: Any) -> Message:
    return Message("user", tuple(Text(part) if isinstance(part, str) else part for part in parts))


def turn(*parts: Any, origin: str | None = ORIGIN, **values: Any) -> Message:
    texts = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Message("assistant", texts, origin=origin, **values)


def asks(call_id: str, arguments: Any = None, raw: str | None = None) -> ToolCall:
    return ToolCall(call_id, "get", {} if raw is None and arguments is None else arguments, raw)


def result(*call_ids: str, text: str = "done") -> Message:
    return Message("tool", tuple(ToolOutput(call_id, "get", text, True) for call_id in call_ids))


def sealed(item_id: str = "rs_1", **fields: Any) -> dict[str, Any]:
    """A reasoning item as it was kept."""
    return reasoning("Hm.", item_id=item_id, encrypted_content=f"ENC-{item_id}", status="completed", **fields)


def sent(item_id: str = "rs_1") -> dict[str, Any]:
    """The same as it has to go back."""
    raw = sealed(item_id)
    return {key: raw[key] for key in ("type", "id", "summary", "encrypted_content")}
