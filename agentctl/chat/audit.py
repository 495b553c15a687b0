"""Writes down what was decided about tool calls, by whom and how; what a setting allows is no decision."""

from __future__ import annotations

from agentctl.chat.holder import os_user
from agentctl.chat.opening import Opening
from agentctl.chat.policy import Verdict
from agentctl.domain.approval import Approval
from agentctl.domain.message import ToolCall
from agentctl.store import Store


class Auditor:
    """The entries of one run."""

    def __init__(self, store: Store, opening: Opening, session_id: str, run_id: str) -> None:
        self._store = store
        self._opening = opening
        self._places = {"session_id": session_id, "run_id": run_id}

    def note(self, call: ToolCall, verdict: Verdict, answered: Approval | None) -> None:
        """One entry for a decision; the caller holds its transaction."""
        if verdict.by == "setting":
            return
        self._store.audit.add(
            "decision",
            self._opening.user.name,
            os_user(),
            {
                "decision": verdict.decision,
                "by": verdict.by,
                "rule": verdict.rule,
                "grant": verdict.grant,
                "approval": answered.id if answered else None,
                "scope": verdict.scope,
                "reason": verdict.reason,
                "agent": self._opening.agent.slug,
                **self._places,
                "call_id": call.id,
                "tool": call.name,
                "action": verdict.action,
                "hash": verdict.hash(call.name),
            },
        )
