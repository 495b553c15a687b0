"""Decides one call of a step: by the policy, or by what a person answered while the run waited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from agentctl.chat.policy import Policy, Verdict
from agentctl.chat.recorder import Recorder
from agentctl.chat.toolbox import AgentsTool
from agentctl.domain.approval import Approval, ApprovalKind
from agentctl.domain.ids import clock_ms, new_id
from agentctl.domain.message import ToolCall
from agentctl.domain.stored_call import StoredCall
from agentctl.domain.value import value

LOST = "the process died while this call ran: did it run?"


@value
class Decided:
    """What becomes of a call.

    `answered` is a person's earlier answer that the verdict rests on. `waits` is a question that nobody has
    answered yet; `asked` says that it is an old one. `ran` is the result of a call in a person's words.
    """

    verdict: Verdict
    answered: Approval | None = None
    waits: Approval | None = None
    asked: bool = False
    ran: str | None = None


class Deciding:
    """The decisions of one run. `stored` are its calls as they were when this process took it up."""

    def __init__(self, recorder: Recorder, policy: Policy, stored: Mapping[str, StoredCall]) -> None:
        self._recorder = recorder
        self._store = recorder.store
        self._policy = policy
        self._stored = stored

    def is_lost(self, call: ToolCall) -> bool:
        """Whether the call was running when its process died."""
        stored = self._stored.get(call.id)
        return stored is not None and stored.status == "unknown"

    async def decide(self, tool: AgentsTool, call: ToolCall) -> Decided:
        """The decision on one call whose arguments are valid."""
        approval = self._find_answer(call)
        if approval is not None and approval.status == "denied":
            return Decided(_denied(approval), answered=approval)
        verdict = await self._policy.decide(tool, call, approval)
        if verdict.decision == "pause":
            if (
                approval is not None
                and approval.status == "pending"
                and approval.hash == verdict.hash(call.name)
            ):
                return Decided(verdict, waits=approval, asked=True)
            self._withdraw(approval)
            return Decided(verdict, waits=self._question("call", call, verdict))
        if approval is not None and approval.status == "approved" and verdict.arguments == approval.arguments:
            return Decided(verdict, answered=approval)
        self._withdraw(approval)
        return Decided(verdict)

    def decide_lost(self, tool: AgentsTool | None, call: ToolCall) -> Decided:
        """The decision on a call that ran when its process died: it runs again only where that is safe."""
        stored = self._stored[call.id]
        verdict = self._again(tool, stored)
        if tool is not None and tool.is_idempotent:
            return Decided(verdict)
        approval = self._find_answer(call)
        match approval.status if approval else None:
            case "ran":
                assert approval is not None
                return Decided(verdict, answered=approval, ran=approval.reason or "")
            case "not_run":
                return Decided(replace(verdict, by="person"), answered=approval)
            case "pending":
                return Decided(verdict, waits=approval, asked=True)
        return Decided(verdict, waits=self._question("unknown", stored.call, replace(verdict, reason=LOST)))

    def _again(self, tool: AgentsTool | None, stored: StoredCall) -> Verdict:
        """What was decided about a call before it ran; a deny rule that came since is stronger."""
        call = stored.call
        denied = self._policy.find_denial(tool, call) if tool else None
        return denied or Verdict(
            "allow",
            str(stored.decision.get("by", "setting")),
            call.arguments or {},
            revision=tool.revision if tool else "",
        )

    def _find_answer(self, call: ToolCall) -> Approval | None:
        """The open question about a call, answered or not; one whose time is over is closed."""
        if call.id not in self._stored:
            return None
        self._store.approvals.expire(self._recorder.run_id)
        return self._store.approvals.of_call(call.id)

    def _withdraw(self, approval: Approval | None) -> None:
        """Another question or answer takes the place of this one."""
        if approval is not None:
            self._store.approvals.withdraw(approval.id, "the call was decided in another way")

    def _question(self, kind: ApprovalKind, call: ToolCall, verdict: Verdict) -> Approval:
        now, opening = clock_ms(), self._recorder.opening
        return Approval(
            id=new_id("ap"),
            kind=kind,
            user_id=opening.user.id,
            session_id=self._recorder.session_id,
            run_id=self._recorder.run_id,
            call_id=call.id,
            agent=opening.agent.slug,
            tool=call.name,
            action=verdict.action,
            arguments=verdict.arguments,
            tool_revision=verdict.revision,
            hash=verdict.hash(call.name),
            why=verdict.reason,
            created_at=now,
            expires_at=now + round(verdict.expires * 1000),
        )


def _denied(approval: Approval) -> Verdict:
    return Verdict(
        "deny",
        "person",
        approval.arguments,
        reason=approval.reason,
        action=approval.action,
        revision=approval.tool_revision,
    )
