"""How a run ends: from the error that ended it, or from none, to outcome, state and exit code."""

from __future__ import annotations

from typing import Any

from agentctl.chat.turn import Turn
from agentctl.domain.approval import Approval
from agentctl.domain.ids import now_ms, rfc3339
from agentctl.domain.outcome import OUTCOME_OF_KIND, Outcome, RunResult, describe
from agentctl.domain.states import RunStatus
from agentctl.errors import AgentctlError, PolicyDenied
from agentctl.providers.base import Fault

STATES: dict[Outcome, RunStatus] = {
    "denied": "done",
    "done": "done",
    "empty": "done",
    "failed": "failed",
    "limit": "done",
    "paused": "awaiting_approval",
    "refused": "failed",
    "stopped": "aborted",
    "timeout": "aborted",
}


def end(turn: Turn, error: AgentctlError | None) -> tuple[RunStatus, RunResult]:
    """State and result of a run that ended with `error`, or by itself.

    A denial by policy is the ending only of a run that nothing worse ended (DESIGN, section 2).
    """
    if turn.calls.results.denials and (error is None or error.kind == "empty_answer"):
        error = denied(turn)
    outcome: Outcome = OUTCOME_OF_KIND.get(error.kind, "failed") if error else "done"
    opening, recorder = turn.opening, turn.recorder
    result = RunResult(
        outcome=outcome,
        exit_code=error.code if error else 0,
        run_id=recorder.run_id,
        session_id=recorder.session_id,
        message_id=turn.last.id if turn.last else None,
        agent=opening.agent.slug,
        model=turn.asking.model.reference,
        result=_answer(turn),
        structured=turn.structured.value if turn.structured else None,
        cost_usd=turn.spending.spent.cost_usd,
        num_turns=turn.num_turns,
        usage=turn.usage,
        duration_ms=now_ms() - recorder.started_at,
        tool_calls=tuple(turn.calls.results.summaries),
        permission_denials=tuple(turn.calls.results.denials),
        pending_approvals=tuple(map(_pending, turn.calls.pending)),
        warnings=tuple(turn.warnings),
        error=_describe(error, turn.fault) if error else None,
    )
    return STATES[outcome], result


def _pending(approval: Approval) -> dict[str, Any]:
    return {
        "approval_id": approval.id,
        "kind": approval.kind,
        "call_id": approval.call_id,
        "tool": approval.tool,
        "action": approval.action,
        "arguments": dict(approval.arguments),
        "why": approval.why,
        "expires_at": rfc3339(approval.expires_at),
    }


def _answer(turn: Turn) -> str | None:
    """The last message; with a schema only an answer that keeps to it, as JSON without words around it."""
    if turn.structured is not None:
        return turn.structured.text
    return turn.last.text if turn.last else None


def denied(turn: Turn) -> PolicyDenied:
    """The error for calls that needed a person where nobody could be asked."""
    tools = ", ".join(sorted({denial["tool"] for denial in turn.calls.results.denials}))
    reasons = "; ".join(sorted({denial["reason"] for denial in turn.calls.results.denials}))
    return PolicyDenied(
        f"a call of {tools} was denied: {reasons}",
        hint="See agentctl policy explain AGENT TOOL; --allow RULE, a grant or --yes allow what only asks.",
    )


def _describe(error: AgentctlError, fault: Fault | None) -> dict[str, Any]:
    """The `error` object of a result, with what the provider said."""
    known = describe(error.kind, error.message, error.hint)
    if fault is None:
        return known
    return {
        **known,
        "status": fault.status,
        "retryable": fault.retryable,
        "retry_after": fault.retry_after,
    }
