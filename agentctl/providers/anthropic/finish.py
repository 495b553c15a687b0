"""How an answer ended: stop reasons."""

from __future__ import annotations

from collections.abc import Mapping

from agentctl.providers.base import Finish

# https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
_REASONS: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "pause_turn",
    "refusal": "refusal",
    "tool_use": "tool_calls",
}


def read_finish(reason: str) -> Finish:
    """Our word for a stop reason; one that nobody knows yet ends the answer well."""
    return _REASONS.get(reason, "stop")
