"""A run: one user message and everything that answers it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.message import Usage
from agentctl.domain.states import RunStatus
from agentctl.domain.value import value


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
    """A run as it is stored; times are milliseconds UTC, `cost_usd` is the part whose price is known.

    `settings` are the flags that hold for it, `lease` counts who held it, `holder` is None while nobody does.
    """

    id: str
    session_id: str
    user_id: int
    agent: str
    status: RunStatus
    model: str
    settings: Mapping[str, Any]
    cwd: str
    request_id: str | None
    prompt_hash: str | None
    outcome: str | None
    exit_code: int | None
    error: Mapping[str, Any] | None
    usage: Usage
    cost_usd: float | None
    num_turns: int
    created_at: int
    finished_at: int | None
    lease: int
    heartbeat_at: int | None
    holder: Holder | None
