"""What became of the calls of a run: stored, read by the model, and told in the result object."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentctl.chat.policy import Verdict
from agentctl.chat.recorder import Recorder
from agentctl.domain.approval import Approval
from agentctl.domain.event import Event
from agentctl.domain.message import ToolCall, ToolOutput
from agentctl.domain.states import CallStatus
from agentctl.domain.stored_call import StoredCall
from agentctl.domain.tool import ToolResult

FORBIDDEN = "this call is forbidden by policy, so it did not run"
RAN = "a person says that this call ran"
NOT_ASKED = "this call needs a person's approval and nobody could be asked, so it was denied and did not run"


class CallResults:
    """The results of one run; those that `stored` calls have from before are among them.

    `outputs` are what the model reads, `summaries` and `denials` what the result object lists.
    """

    def __init__(self, recorder: Recorder, stored: Iterable[StoredCall]) -> None:
        self._recorder = recorder
        self.summaries: list[dict[str, Any]] = []
        self.denials: list[dict[str, Any]] = []
        self.outputs: dict[str, ToolOutput] = {}
        for each in stored:
            self._remember(each)

    def keep(
        self,
        call: ToolCall,
        result: ToolResult,
        output: str,
        *,
        status: CallStatus,
        answered: Approval | None = None,
    ) -> Event:
        """Commit the result of one call; `answered` is the word of a person that it rests on."""
        self._note(call, result, output)
        return self._recorder.result(call, result, output, status=status, answered=answered)

    def refuse(
        self, call: ToolCall, error: str, *, status: CallStatus, needs_approval: bool = False
    ) -> Event:
        """Commit that a call does not run, and why."""
        metadata: dict[str, Any] = {"duration_ms": 0}
        if needs_approval:
            metadata["needs_approval"] = True
        result = ToolResult(success=False, error=error, metadata=metadata)
        return self.keep(call, result, f"Error: {error}", status=status)

    def deny(self, call: ToolCall, verdict: Verdict) -> Event:
        """Commit that a person or a policy said no."""
        why = f": {verdict.reason}" if verdict.reason else ""
        if verdict.by == "person":
            return self.refuse(call, f"the user denied this call{why}", status="denied")
        asked_nobody = verdict.by == "nobody"
        reason = "needs approval and nobody could be asked" if asked_nobody else f"denied by {verdict.rule}"
        self.denials.append({**proposal(call), "reason": f"{reason}{why}"})
        message = NOT_ASKED if asked_nobody else FORBIDDEN
        return self.refuse(call, f"{message}{why}", status="denied", needs_approval=asked_nobody)

    def close_lost(self, call: ToolCall, said: str, answered: Approval | None) -> Event:
        """A person says that a call ran whose end nobody saw."""
        result = ToolResult(True, data={"note": RAN, "result": said}, metadata={"duration_ms": 0})
        output = f"{RAN}: {said}" if said else RAN
        return self.keep(call, result, output, status="done", answered=answered)

    def _note(self, call: ToolCall, result: ToolResult, output: str) -> None:
        self.outputs[call.id] = ToolOutput(call.id, call.name, output, result.success)
        self.summaries.append(
            {
                **proposal(call),
                "success": result.success,
                "error": result.error,
                "duration_ms": result.metadata.get("duration_ms", 0),
            }
        )

    def _remember(self, stored: StoredCall) -> None:
        """Take note of a call that has its result from before."""
        if stored.result is None or stored.output is None:
            return
        self._note(stored.call, stored.result, stored.output)
        if stored.status == "denied" and stored.decision.get("by") in ("flag", "nobody", "rule"):
            self.denials.append({**proposal(stored.call), "reason": stored.result.error or ""})


def proposal(call: ToolCall) -> dict[str, Any]:
    """A call as events and results name it."""
    sent = {"raw": call.raw} if call.arguments is None else {"arguments": dict(call.arguments)}
    return {"call_id": call.id, "tool": call.name, "name": call.name, **sent}
