"""A run: one user message and everything that answers it."""

from __future__ import annotations

from typing import Literal

from agentctl.domain.message import Usage
from agentctl.domain.value import value

RunStatus = Literal["queued", "running", "awaiting_approval", "done", "failed", "aborted", "interrupted"]


@value
class Holder:
    """The process that works on a run. A recycled pid differs in `started`, another boot in `boot_id`."""

    pid: int
    host: str
    boot_id: str
    started: str
    pid_namespace: str


@value
class Run:
    """A run as it is stored; times are milliseconds UTC, `cost_usd` is the part whose price is known."""

    id: str
    session_id: str
    status: RunStatus
    model: str
    outcome: str | None
    exit_code: int | None
    usage: Usage
    cost_usd: float | None
    num_turns: int
    created_at: int
    finished_at: int | None
    holder: Holder | None
