"""Ends a run that no process works on: nothing of it waits any more, and its last event says why."""

from __future__ import annotations

from agentctl.domain.event import Event
from agentctl.domain.ids import clock_ms
from agentctl.domain.outcome import RunResult, describe
from agentctl.domain.run import Run
from agentctl.errors import Stopped
from agentctl.store import Store

# What the result that a run paused with has said of it stays true.
KEPT = ("structured_result", "duration_ms", "tool_calls", "permission_denials", "warnings")


def close_run(store: Store, run: Run, reason: str) -> None:
    """Make a run that is queued, waits or was interrupted `aborted`; who watches it later is told `reason`.

    Its questions are cancelled; its calls stay as they are, for whoever goes on with it is asked again. The
    caller holds the transaction.
    """
    spent = store.usage.of_run(run.id)
    said = store.events.newest(run.id, "message")
    error = describe(Stopped.kind, reason, None)
    result = RunResult(
        outcome="stopped",
        exit_code=Stopped.exit_code,
        run_id=run.id,
        session_id=run.session_id,
        message_id=said.data["message_id"] if said else None,
        agent=run.agent,
        model=run.model,
        result=said.data["text"] if said else None,
        num_turns=spent.requests,
        usage=spent.usage,
        cost_usd=spent.cost_usd,
        error=error,
    )
    earlier = store.events.newest(run.id, "result")
    kept = {key: earlier.data[key] for key in KEPT} if earlier else {}
    store.approvals.cancel(run.id, reason)
    store.runs.finish(
        run.id,
        "aborted",
        outcome=result.outcome,
        exit_code=result.exit_code,
        error=error,
        usage=spent.usage,
        cost_usd=spent.cost_usd,
        num_turns=spent.requests,
    )
    ending = Event("result", {**result.as_dict(), **kept}, store.events.last(run.id) + 1, clock_ms())
    store.events.add(run.id, [ending])
