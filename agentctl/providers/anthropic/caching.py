"""Marks how far the provider may keep a request for the next one."""

from __future__ import annotations

from typing import Any

_MARK = {"cache_control": {"type": "ephemeral"}}


def mark_for_cache(body: dict[str, Any]) -> None:
    """Mark the end of the tools, of the system prompt and of the newest user message, three of four allowed.

    https://platform.claude.com/docs/en/build-with-claude/prompt-caching
    """
    if body.get("tools"):
        body["tools"][-1] = {**body["tools"][-1], **_MARK}
    if body.get("system"):
        body["system"] = [{"type": "text", "text": body["system"], **_MARK}]
    for message in reversed(body["messages"]):
        if message["role"] == "user":
            message["content"][-1] = {**message["content"][-1], **_MARK}
            return
