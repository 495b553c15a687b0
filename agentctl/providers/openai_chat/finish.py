"""How an answer ended: finish reasons, and errors inside a stream."""

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


def find_error(chunk: Mapping[str, Any], event_name: str) -> Any:
    """The error in a chunk of a stream, in any of the shapes in use; None where there is none."""
    error = chunk.get("error")
    if isinstance(error, Mapping):
        return error if any(error.values()) else None
    if error:
        return error if chunk.keys() <= {"error"} else {**chunk, "message": chunk.get("message") or error}
    if chunk.get("choices"):
        return None
    if "error" in (event_name, chunk.get("type"), chunk.get("object")):
        return chunk
    # Gateways answer in their own shapes, which have a code and some prose.
    if chunk.get("detail"):
        return chunk
    coded = any(chunk.get(key) for key in ("code", "status", "status_code"))
    return chunk if coded and isinstance(chunk.get("message") or chunk.get("msg"), str) else None
