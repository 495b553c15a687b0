"""How a response ended: its status, and the fault in it if it is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.providers.base import Fault, Finish
from agentctl.providers.faults import from_error

# Events that end a response, and the status that each stands for.
ENDINGS: Mapping[str, str] = {
    "response.cancelled": "cancelled",
    "response.completed": "completed",
    "response.done": "completed",
    "response.failed": "failed",
    "response.incomplete": "incomplete",
}
_UNFINISHED = ("in_progress", "queued")
_FILTERED = ("content_filter", "content_policy_violation")


def read_ending(response: Mapping[str, Any], word: str) -> tuple[Finish | None, Fault | None]:
    """Our word for the end of a response, and its fault; (None, None) where it has not ended.

    The status in `response` says more than `word`, that of the event ("" where there was none), unless it
    was forgotten in there from the start.
    """
    status = response.get("status")
    if not status or (word and status in _UNFINISHED):
        status = word
    error = response.get("error")
    if isinstance(error, Mapping) and error.get("code") in _FILTERED:
        return "content_filter", None
    if error:
        return "error", from_error(error)
    if status in ("cancelled", "failed"):
        message = f"the provider gave up in the middle of the answer ({status})"
        return "error", Fault("temporary", status, message, retryable=True)
    if status == "incomplete":
        details = response.get("incomplete_details")
        reason = details.get("reason") if isinstance(details, Mapping) else None
        return ("content_filter" if reason == "content_filter" else "length"), None
    return (None, None) if status in _UNFINISHED else ("stop", None)
