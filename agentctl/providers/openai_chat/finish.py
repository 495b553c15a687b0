"""How an answer ended: finish reasons, those that mean failure among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.providers.base import Fault, Finish

_REASONS: Mapping[str, Finish] = {
    "abort": "error",
    "content_filter": "content_filter",
    "error": "error",
    "function_call": "tool_calls",
    "insufficient_system_resource": "error",
    "length": "length",
    "malformed_function_call": "error",
    "max_tokens": "length",
    "model_length": "length",
    "network_error": "error",
    "refusal": "refusal",
    "safety": "content_filter",
    "sensitive": "content_filter",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
}


def read_finish(reason: Any) -> tuple[Finish | None, Fault | None]:
    """Our word for a finish reason, and the fault in it if it is one; (None, None) where there is none yet.

    Words that nobody knows end the answer well: servers invent them for stop tokens.
    """
    if not isinstance(reason, str) or not reason:
        return None, None
    # Gemini appends its own reason: "content_filter: RECITATION".
    word = reason.partition(":")[0].strip().lower()
    finish = _REASONS.get(word, "stop")
    if finish != "error":
        return finish, None
    message = f"the provider gave up in the middle of the answer ({reason})"
    return finish, Fault("temporary", word, message, retryable=True)
