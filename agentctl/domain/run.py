"""A run: one user message and everything that answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentctl.domain.message import Usage

RunStatus = Literal["queued", "running", "awaiting_approval", "done", "failed", "aborted", "interrupted"]


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that works on a run. A recycled pid differs in `started`, another boot in `boot_id`."""

    pid: int
    host: str
    boot_id: str
    started: str
    pid_namespace: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is stored; times are milliseconds UTC."""

    id: str
    session_id: str
    status: RunStatus
    model: str
    outcome: str | None
    exit_code: int | None
    usage: Usage
    num_turns: int
    created_at: int
    finished_at: int | None
    holder: Holder | None
