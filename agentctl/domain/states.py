"""The states of runs and tool calls, and which may follow which: the two drawings of ARCHITECTURE.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

RunStatus = Literal["queued", "running", "awaiting_approval", "done", "failed", "aborted", "interrupted"]
CallStatus = Literal[
    "proposed", "awaiting_approval", "approved", "denied", "executing", "done", "failed", "unknown"
]

# What a run may become; `running` again is `resume`.
RUN: Mapping[RunStatus, tuple[RunStatus, ...]] = {
    "queued": ("running", "aborted"),
    "running": ("awaiting_approval", "done", "failed", "aborted", "interrupted"),
    "awaiting_approval": ("running", "aborted"),
    "interrupted": ("running", "aborted"),
    "failed": ("running",),
    "aborted": ("running",),
    "done": (),
}
# What a call may become. `unknown` is one whose process died while it ran: a person says that it ran (done),
# or that it did not, and then it is as if it had only been approved.
CALL: Mapping[CallStatus, tuple[CallStatus, ...]] = {
    "proposed": ("awaiting_approval", "approved", "denied", "failed"),
    # Asked again where the question expired or what it was about changed; failed where the tool is gone.
    "awaiting_approval": ("awaiting_approval", "approved", "denied", "failed"),
    "approved": ("awaiting_approval", "approved", "executing", "denied", "failed"),
    "executing": ("done", "failed", "unknown"),
    "unknown": ("done", "approved"),
    "denied": (),
    "done": (),
    "failed": (),
}
# A run that has not ended: it works, or waits to.
LIVE: tuple[RunStatus, ...] = ("queued", "running", "awaiting_approval")


def before(states: Mapping[Any, tuple[Any, ...]], status: str) -> tuple[str, ...]:
    """The states that `status` may follow."""
    return tuple(earlier for earlier, later in states.items() if status in later)
