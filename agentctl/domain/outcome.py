"""How a run ended: the closed list of outcomes and the value that results are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from agentctl.domain.message import Usage
from agentctl.domain.value import value

SCHEMA_VERSION = 1

Outcome = Literal["done", "denied", "limit", "empty", "refused", "failed", "stopped", "timeout", "paused"]
OUTCOMES: tuple[Outcome, ...] = (
    "denied",
    "done",
    "empty",
    "failed",
    "limit",
    "paused",
    "refused",
    "stopped",
    "timeout",
)


@value
class RunResult:
    """The last event of every run; `as_dict` is the object that `-o json` prints.

    `structured` is the JSON value of an answer that had a schema to keep to; `cost_usd` is None where a price
    is unknown.
    """

    outcome: Outcome
    exit_code: int
    run_id: str | None = None
    session_id: str | None = None
    message_id: str | None = None
    agent: str | None = None
    model: str | None = None
    result: str | None = None
    num_turns: int = 0
    usage: Usage = field(default_factory=Usage)
    structured: Any = None
    cost_usd: float | None = None
    duration_ms: int = 0
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    permission_denials: tuple[Mapping[str, Any], ...] = ()
    pending_approvals: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[Mapping[str, Any], ...] = ()
    error: Mapping[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The `result` object of the contract; every key is always there."""
        return {
            "schema_version": SCHEMA_VERSION,
            "type": "result",
            "outcome": self.outcome,
            "is_error": self.exit_code != 0,
            "exit_code": self.exit_code,
            "run_id": self.run_id,
            "session_id": self.session_id,
            "message_id": self.message_id,
            "agent": self.agent,
            "model": self.model,
            "result": self.result,
            "structured_result": self.structured,
            "num_turns": self.num_turns,
            "usage": self.usage.as_dict(),
            "cost_usd": self.cost_usd,
            "duration_ms": self.duration_ms,
            "tool_calls": [dict(call) for call in self.tool_calls],
            "permission_denials": [dict(denial) for denial in self.permission_denials],
            "pending_approvals": [dict(approval) for approval in self.pending_approvals],
            "warnings": [dict(warning) for warning in self.warnings],
            "error": dict(self.error) if self.error else None,
        }


OUTCOME_OF_KIND: Mapping[str, Outcome] = {
    "denied": "denied",
    "empty_answer": "empty",
    "limit": "limit",
    "paused": "paused",
    "refusal": "refused",
    "stdout_closed": "stopped",
    "stopped": "stopped",
    "timeout": "timeout",
}


def describe(kind: str, message: str, hint: str | None) -> dict[str, Any]:
    """The `error` object of a result; an error without a provider behind it has no status."""
    return {
        "kind": kind,
        "message": message,
        "status": None,
        "retryable": kind in ("temporary", "busy"),
        "retry_after": None,
        "hint": hint,
    }
