"""What lists show of an approval, and what the audit keeps of one."""

from __future__ import annotations

from typing import Any

from agentctl.domain.approval import Approval
from agentctl.domain.ids import rfc3339


def approval_row(approval: Approval) -> dict[str, Any]:
    """An approval as lists show it."""
    return {
        "id": approval.id,
        "kind": approval.kind,
        "agent": approval.agent,
        "tool": approval.tool,
        "action": approval.action,
        "arguments": dict(approval.arguments),
        "why": approval.why,
        "status": approval.status,
        "created_at": rfc3339(approval.created_at),
        "expires_at": rfc3339(approval.expires_at),
        "run_id": approval.run_id,
        "session_id": approval.session_id,
    }


def audit_note(approval: Approval, decision: str, *, by: str, how: str, reason: str | None) -> dict[str, Any]:
    """The data of an entry about a decision; the arguments are in it as their hash alone."""
    return {
        "decision": decision,
        "by": by,
        "how": how,
        "approval": approval.id,
        "reason": reason,
        "agent": approval.agent,
        "session_id": approval.session_id,
        "run_id": approval.run_id,
        "call_id": approval.call_id,
        "tool": approval.tool,
        "action": approval.action,
        "hash": approval.hash,
    }
