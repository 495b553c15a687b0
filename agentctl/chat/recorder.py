"""All writes of a run: the message and run row before the first request, every step as it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentctl.chat.audit import Auditor
from agentctl.chat.beginning import Begun, begin
from agentctl.chat.journal import Journal
from agentctl.chat.lease import Lease
from agentctl.chat.opening import Opening
from agentctl.chat.policy import Earlier, Verdict
from agentctl.chat.progress import Progress, read_progress
from agentctl.domain.approval import Approval
from agentctl.domain.event import Event
from agentctl.domain.ids import new_id, now_ms
from agentctl.domain.message import Message, Part, Reasoning, Text, ToolCall
from agentctl.domain.outcome import RunResult
from agentctl.domain.states import CallStatus, RunStatus
from agentctl.domain.tool import ToolResult
from agentctl.domain.usage import Spent
from agentctl.errors import Busy
from agentctl.providers.base import Reply
from agentctl.store import Store

# What a run ends with that may be gone on with; its calls stay as they are.
RESUMABLE = ("aborted", "failed", "awaiting_approval")


class Recorder:
    """Turns what happens into rows and events; one instance serves one run that this process holds."""

    def __init__(self, store: Store, opening: Opening) -> None:
        self.store = store
        self.opening = opening
        self.started_at = now_ms()
        self.session_id = ""
        self.run_id = ""
        self.progress: Progress
        self.grants: list[Earlier] = []
        self.lease: Lease
        self.journal: Journal
        self._auditor: Auditor

    def begin(self) -> Event:
        """Commit the user's message and the run row, or the lease of a run that is gone on with.

        Returns the `init` event. Raises Busy where another living process works on the session.
        """
        opening = self.opening
        shown = opening.recalled.ids if opening.recalled else ()
        with self.store.transaction():
            begun = begin(self.store, opening)
            self._take_up(begun)
            return self.journal.record(
                "init",
                {
                    "run_id": self.run_id,
                    "session_id": self.session_id,
                    "agent": opening.agent.slug,
                    "model": opening.model.reference,
                    "tools": opening.toolbox.names,
                    **({"recalled": list(shown)} if shown else {}),
                },
            )

    def say(self, parts: Sequence[Part]) -> Message:
        """Store a message of the user's side."""
        message = Message(
            "user", tuple(parts), id=new_id("am"), session_id=self.session_id, run_id=self.run_id
        )
        with self.lease.write():
            self.store.messages.add(message)
        return message

    def message(
        self,
        reply: Reply,
        calls: Sequence[ToolCall],
        status: str,
        origin: str,
        settle: Callable[[str | None], float | None],
    ) -> tuple[Message, Event]:
        """Commit an answer, its proposed calls and its cost; the deltas it was made of go.

        `origin` is the `provider/model` that made it; `settle` is given the message's id and says the cost.
        """
        message_id = new_id("am")
        parts: list[Part] = []
        if reply.reasoning:
            parts.append(Reasoning(reply.reasoning))
        if reply.text:
            parts.append(Text(reply.text))
        message = Message(
            role="assistant",
            parts=(*parts, *calls),
            id=message_id,
            session_id=self.session_id,
            run_id=self.run_id,
            status=status,
            finish=reply.finish,
            origin=origin,
            usage=reply.usage,
            replay=reply.replay,
        )
        with self.lease.write(durable=bool(calls)):
            message = replace(message, cost_usd=settle(message_id))
            self.store.messages.add(message)
            self.store.calls.propose(self.run_id, message.id, calls)
            self.journal.fold()
            event = self.journal.record(
                "message", {"message_id": message.id, "text": reply.text, "finish": reply.finish}
            )
        self.journal.forget_words()
        return message, event

    def decide(self, call: ToolCall, verdict: Verdict, answered: Approval | None) -> Event:
        """Commit what was decided about a call; `answered` is the question that a person answered before.

        A no uses that answer up here, a yes when the call starts.
        """
        note = {
            "decision": verdict.decision,
            "by": verdict.by,
            "rule": verdict.rule,
            "scope": verdict.scope,
            "reason": verdict.reason,
        }
        allowed = verdict.decision == "allow"
        with self.lease.write(durable=True):
            self.store.calls.decide(call.id, "approved" if allowed else "denied", note, verdict.arguments)
            if answered is not None and not allowed:
                self.store.approvals.consume(answered.id)
            self._auditor.note(call, verdict, answered)
            return self.journal.record(
                "tool.decision",
                {
                    "call_id": call.id,
                    "decision": "allow" if allowed else "deny",
                    "by": verdict.by,
                    "rule": verdict.rule,
                },
            )

    def put_off(self, approval: Approval) -> Event:
        """Commit that a person has to answer first."""
        with self.lease.write(durable=True):
            if approval.kind == "call":
                self.store.calls.await_approval(approval.call_id, approval.arguments)
            self.store.approvals.request(approval)
            return self.say_pending(approval)

    def say_pending(self, approval: Approval) -> Event:
        """The event of a question that waits."""
        return self.journal.record(
            "tool.approval_required",
            {
                "approval_id": approval.id,
                "call_id": approval.call_id,
                "tool": approval.tool,
                "action": approval.action,
                "arguments": dict(approval.arguments),
            },
        )

    def start(
        self, calls: Sequence[tuple[ToolCall, Verdict]], answered: Mapping[str, Approval]
    ) -> list[ToolCall]:
        """Commit that these calls run now, before any of them does; what allowed them is used up with that.

        Returns those whose grant or approval was used up by somebody else meanwhile: they do not run.
        """
        late = []
        with self.lease.write(durable=True):
            for call, verdict in calls:
                try:
                    if verdict.grant is not None:
                        self.store.grants.use(verdict.grant)
                    if call.id in answered:
                        self.store.approvals.consume(answered[call.id].id)
                except Busy:
                    late.append(call)
                    continue
                self.store.calls.start(call.id)
        return late

    def result(
        self,
        call: ToolCall,
        result: ToolResult,
        output: str,
        *,
        status: CallStatus,
        answered: Approval | None = None,
    ) -> Event:
        """Commit the result of one call, at once and alone.

        Where a person said that the call had run, `answered` is used up with it.
        """
        data: dict[str, Any] = {"call_id": call.id, "success": result.success}
        data["data" if result.success else "error"] = result.data if result.success else result.error
        data["duration_ms"] = result.metadata.get("duration_ms", 0)
        with self.lease.write(durable=True):
            if answered is not None and answered.status == "ran":
                self.store.approvals.consume(answered.id)
            self.store.calls.finish(call.id, result, output, status=status)
            unused = self.store.approvals.of_call(call.id)
            if unused is not None:
                self.store.approvals.withdraw(unused.id, "the call has its result")
            return self.journal.record("tool.result", data)

    def finish(self, status: RunStatus, result: RunResult) -> Event:
        """Commit how the run ended; the last event of every run."""
        with self.lease.write(durable=status == "awaiting_approval"):
            if status in RESUMABLE:
                self.store.calls.lose(self.run_id)
            else:
                self.store.calls.close(self.run_id)
            event = self.journal.record("result", result.as_dict())
            self.store.runs.finish(
                self.run_id,
                status,
                outcome=result.outcome,
                exit_code=result.exit_code,
                error=result.error,
                usage=result.usage,
                num_turns=result.num_turns,
                cost_usd=result.cost_usd,
                model=result.model,
            )
        return event

    def _take_up(self, begun: Begun) -> None:
        store, run_id = self.store, begun.run_id
        self.session_id, self.run_id = begun.session_id, run_id
        self.lease = Lease(store, run_id, begun.lease)
        self.journal = Journal(store, run_id, self.lease, begun.seq)
        self._auditor = Auditor(store, self.opening, self.session_id, run_id)
        history = store.messages.history(begun.session_id, with_files=True)
        if begun.seq:
            self.progress = read_progress(
                history, run_id, store.calls.of_run(run_id), store.usage.of_run(run_id)
            )
        else:
            self.progress = read_progress(history, run_id, [], Spent())
        self.grants = store.calls.granted(begun.session_id)
