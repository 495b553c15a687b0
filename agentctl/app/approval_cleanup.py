"""Closes questions that nobody can answer any more, so that no session is stuck behind one."""

from __future__ import annotations

from typing import Any

from agentctl.app.approval_views import approval_row, audit_note
from agentctl.chat.closing import close_run
from agentctl.chat.holder import is_gone, os_user
from agentctl.chat.takeover import take_run
from agentctl.domain.approval import OPEN, Approval
from agentctl.domain.states import CALL, LIVE, before
from agentctl.domain.tool import ToolResult
from agentctl.domain.user import User
from agentctl.store import Store

EXPIRED = "the question whether this call may run was not answered in time, so it did not run"
GONE = "the agent or the tool of this call is gone, so it did not run"


def clean_up(store: Store, user: User, session_id: str | None) -> list[dict[str, Any]]:
    """Close the user's stale questions, of one session or of all; returns them as rows, with their new state.

    Each call gets a denied result, and a run that waits for nothing else becomes `aborted`. A run that a
    process works on is left to it. May be repeated.
    """
    closed: list[Approval] = []
    with store.transaction(durable=True):
        for approval in store.approvals.stale(user.id, session_id):
            run = store.runs.get(approval.run_id)
            if run.status == "running":
                if not is_gone(run):
                    continue
                take_run(store, run)
            _close(store, user, approval)
            closed.append(approval)
        for run_id in dict.fromkeys(approval.run_id for approval in closed):
            _end_run(store, run_id)
    return [approval_row(store.approvals.find(user.id, approval.id)) for approval in closed]


def _close(store: Store, user: User, approval: Approval) -> None:
    expired = approval.status == "expired"
    why = EXPIRED if expired else GONE
    store.approvals.withdraw(approval.id, why, status="expired" if expired else "cancelled")
    if _is_open(store, approval):
        note = {"decision": "deny", "by": "nobody", "rule": None, "scope": None, "reason": why}
        result = ToolResult(success=False, error=why, metadata={"duration_ms": 0})
        store.calls.decide(approval.call_id, "denied", note, approval.arguments)
        store.calls.finish(approval.call_id, result, f"Error: {why}", status="denied")
    data = audit_note(approval, "deny", by="nobody", how="approvals cleanup", reason=why)
    store.audit.add("cleanup", user.name, os_user(), data)


def _is_open(store: Store, approval: Approval) -> bool:
    """Whether the call has no result and never began.

    Of one that did begin nobody knows the end, and that is what the model reads.
    """
    stored = next(each for each in store.calls.of_run(approval.run_id) if each.call.id == approval.call_id)
    return stored.output is None and stored.status in before(CALL, "denied")


def _end_run(store: Store, run_id: str) -> None:
    run = store.runs.get(run_id)
    if run.status not in (*LIVE, "interrupted"):
        return
    # What a person answered, or still may, is for `resume`.
    if any(approval.status in OPEN for approval in store.approvals.of_run(run_id)):
        return
    close_run(store, run, "nobody answered in time, or its agent or tool is gone")
