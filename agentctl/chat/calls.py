"""The tool calls of one step: checked, decided on in order, run side by side."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from agentctl.chat.caller import Caller
from agentctl.chat.deciding import Deciding
from agentctl.chat.policy import Policy, Verdict
from agentctl.chat.recorder import Recorder
from agentctl.chat.toolbox import AgentsTool
from agentctl.domain.approval import Approval
from agentctl.domain.event import Event
from agentctl.domain.ids import new_id
from agentctl.domain.message import ToolCall, ToolOutput
from agentctl.domain.states import CallStatus
from agentctl.domain.stored_call import StoredCall
from agentctl.domain.tool import ToolResult
from agentctl.errors import LimitReached, Paused, PolicyDenied, Stopped
from agentctl.providers.base import WireCall

# A model that asks for the same thing a third time is going round in circles.
REPEATS = 3
# Calls of one step that run at the same time.
PARALLEL = 8
FORBIDDEN = "this call is forbidden by policy, so it did not run"
RAN = "a person says that this call ran"
NOT_ASKED = "this call needs a person's approval and nobody could be asked, so it was denied and did not run"

Allowed = tuple[ToolCall, AgentsTool, Verdict]


class Calls:
    """Runs the calls of every step of one run and keeps what the result object says of them.

    `pending` are the questions that the run waits for.
    """

    def __init__(self, recorder: Recorder, policy: Policy, caller: Caller) -> None:
        self._recorder = recorder
        self._caller = caller
        self._toolbox = recorder.opening.toolbox
        self._policy = policy
        stored = recorder.progress.calls
        self._deciding = Deciding(recorder, policy, {each.call.id: each for each in stored})
        self._seen = Counter(_key(each.call) for each in recorder.progress.earlier_calls)
        self._secretive: set[str] = set()
        self._answered: dict[str, Approval] = {}
        self._late: list[ToolCall] = []
        self.pending: list[Approval] = []
        self.summaries: list[dict[str, Any]] = []
        self.denials: list[dict[str, Any]] = []
        self.outputs: dict[str, ToolOutput] = {}
        for each in stored:
            self._remember(each)

    def accept(self, call: WireCall) -> ToolCall:
        """What a model called, as it is stored and sent from now on: with an id of ours, without secrets."""
        blanks = self._toolbox.find_blanks()
        accepted = ToolCall(new_id("ac"), call.name, blanks.blank(call.arguments), None)
        if call.arguments is None:
            accepted = replace(accepted, raw=blanks.blank(call.raw))
        if blanks.holds(call.arguments if call.arguments is not None else call.raw):
            self._secretive.add(accepted.id)
        return accepted

    async def run(self, calls: Sequence[ToolCall], allowed: int) -> AsyncGenerator[Event, None]:
        """Run one step's calls; yields their events. Those that have a result already are passed over.

        Those after the first `allowed` are not run: the run has no more calls left. Raises Paused where a
        person has to answer first, PolicyDenied where that is to fail the run, LimitReached where a call
        came for the third time, Stopped where a person said so.
        """
        open_calls = [(number, call) for number, call in enumerate(calls) if call.id not in self.outputs]
        for _, call in open_calls:
            yield self._recorder.journal.record("tool.call", _proposal(call))
        ready: list[Allowed] = []
        for number, call in open_calls:
            async for event in self._settle(call, ready, has_room=number < allowed):
                yield event
        while ready:
            async with aclosing(self._execute(ready)) as running:
                async for event in running:
                    yield event
            ready = []
            for call in self._take_late():
                async for event in self._settle(call, ready, has_room=True):
                    yield event
        if self.pending:
            raise paused(self.pending)
        repeated = [call.name for call in calls if self._seen[_key(call)] >= REPEATS]
        if repeated:
            raise LimitReached(
                f"{repeated[0]} was called with the same arguments {REPEATS} times, so the run was ended",
                hint="Ask more precisely, or choose a stronger model with -m.",
            )

    async def _settle(
        self, call: ToolCall, ready: list[Allowed], *, has_room: bool
    ) -> AsyncGenerator[Event, None]:
        """Decide on one call: it goes to `ready`, waits for a person, or gets its result at once."""
        if self._deciding.is_lost(call):
            tool = self._toolbox.get(call.name)
            decided = self._deciding.decide_lost(tool, call)
        else:
            tool, fault = self._check(call)
            if not has_room:
                fault = "the run reached its limit of tool calls, so this call was not run"
            if tool is not None and not fault:
                fault = tool.hindrance(call.arguments or {}, self._caller.context(tool, call))
            if tool is None or fault:
                yield self._refuse(call, fault or f'there is no tool "{call.name}"', status="failed")
                return
            decided = await self._deciding.decide(tool, call)
        verdict = decided.verdict
        call = replace(call, arguments=verdict.arguments)
        if decided.waits is not None:
            self.pending.append(decided.waits)
            put_off = self._recorder.say_pending if decided.asked else self._recorder.put_off
            yield put_off(decided.waits)
            return
        if verdict.decision == "stop":
            raise Stopped("stopped at the question about a tool call")
        if decided.answered is not None:
            self._answered[call.id] = decided.answered
        if decided.ran is not None:
            yield self._close_lost(call, decided.ran)
            return
        yield self._recorder.decide(call, verdict, decided.answered)
        if verdict.decision != "allow":
            yield self._deny(call, verdict)
            if verdict.decision == "fail":
                raise PolicyDenied(
                    f"a call of {call.name} needs approval, and the run was to fail then",
                    hint="Allow it with --allow or a grant, or leave --on-approval fail out.",
                )
        elif tool is None:
            yield self._refuse(call, f'there is no tool "{call.name}" any more', status="denied")
        else:
            ready.append((call, tool, verdict))

    def _check(self, call: ToolCall) -> tuple[AgentsTool | None, str | None]:
        """The tool of a call, and what is wrong with the call (a message for the model)."""
        self._seen[_key(call)] += 1
        tool = self._toolbox.get(call.name)
        if tool is None:
            return (
                None,
                f'there is no tool "{call.name}"; available: {", ".join(self._toolbox.names) or "none"}',
            )
        if call.arguments is None:
            return tool, "the arguments are not a JSON object"
        if call.id in self._secretive:
            from agentctl.tools.executor import SECRET

            return tool, SECRET
        faults = tool.faults(call.arguments)
        if faults:
            return tool, "; ".join(faults)
        if self._seen[_key(call)] >= REPEATS:
            return tool, f"the same call came {REPEATS} times; it was not run again"
        return tool, None

    async def _execute(self, ready: Sequence[Allowed]) -> AsyncGenerator[Event, None]:
        """Run calls side by side, PARALLEL at a time; a result is kept the moment it is there."""
        waiting = deque(ready)
        running: dict[asyncio.Task[ToolResult], Allowed] = {}
        try:
            self._start(waiting, running)
            while running:
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                finished = [task for task in running if task in done]
                events = [self._keep(running.pop(task), task.result()) for task in finished]
                # Before anybody is told: a replay starts calls where the recorded run did.
                self._start(waiting, running)
                for event in events:
                    yield event
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            # What finished while the run was being ended did happen, and is kept.
            for task, allowed in running.items():
                if not task.cancelled() and task.exception() is None:
                    self._keep(allowed, task.result())

    def _start(self, waiting: deque[Allowed], running: dict[asyncio.Task[ToolResult], Allowed]) -> None:
        room = min(PARALLEL - len(running), len(waiting))
        if not room:
            return
        batch = [waiting.popleft() for _ in range(room)]
        late = self._recorder.start([(call, verdict) for call, _, verdict in batch], self._answered)
        self._late += late
        for call, tool, verdict in batch:
            if call in late:
                continue
            context = replace(
                self._caller.context(tool, call),
                approved=verdict.by in ("flag", "grant", "person", "session"),
                confined=verdict.confined,
            )
            task = asyncio.create_task(tool.run(call.arguments or {}, context))
            running[task] = call, tool, verdict

    def _take_late(self) -> list[ToolCall]:
        """Calls whose permission somebody else used up in the last moment: they are decided on again."""
        late, self._late = self._late, []
        for call in late:
            self._answered.pop(call.id, None)
        return late

    def _keep(self, allowed: Allowed, result: ToolResult) -> Event:
        call, tool, _ = allowed
        self._policy.learn(result)
        return self._finish(call, result, tool.text(result), status="done" if result.success else "failed")

    def _deny(self, call: ToolCall, verdict: Verdict) -> Event:
        why = f": {verdict.reason}" if verdict.reason else ""
        if verdict.by == "person":
            return self._refuse(call, f"the user denied this call{why}", status="denied")
        asked_nobody = verdict.by == "nobody"
        reason = "needs approval and nobody could be asked" if asked_nobody else f"denied by {verdict.rule}"
        self.denials.append({**_proposal(call), "reason": f"{reason}{why}"})
        message = NOT_ASKED if asked_nobody else FORBIDDEN
        return self._refuse(call, f"{message}{why}", status="denied", needs_approval=asked_nobody)

    def _close_lost(self, call: ToolCall, said: str) -> Event:
        """A person says that a call ran whose end nobody saw."""
        result = ToolResult(True, data={"note": RAN, "result": said}, metadata={"duration_ms": 0})
        output = f"{RAN}: {said}" if said else RAN
        return self._finish(call, result, output, status="done")

    def _refuse(
        self, call: ToolCall, error: str, *, status: CallStatus, needs_approval: bool = False
    ) -> Event:
        metadata: dict[str, Any] = {"duration_ms": 0}
        if needs_approval:
            metadata["needs_approval"] = True
        result = ToolResult(success=False, error=error, metadata=metadata)
        return self._finish(call, result, f"Error: {error}", status=status)

    def _finish(self, call: ToolCall, result: ToolResult, output: str, *, status: CallStatus) -> Event:
        self._note(call, result, output)
        return self._recorder.result(
            call, result, output, status=status, answered=self._answered.get(call.id)
        )

    def _note(self, call: ToolCall, result: ToolResult, output: str) -> None:
        self.outputs[call.id] = ToolOutput(call.id, call.name, output, result.success)
        self.summaries.append(
            {
                **_proposal(call),
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
            self.denials.append({**_proposal(stored.call), "reason": stored.result.error or ""})


def paused(pending: Sequence[Approval]) -> Paused:
    """The error of a run that waits for persons."""
    ids = [approval.id for approval in pending]
    tools = ", ".join(sorted({approval.tool for approval in pending}))
    if any(approval.kind == "unknown" for approval in pending):
        return Paused(
            f"nobody knows whether a call of {tools} ran, because its process died: {', '.join(ids)}",
            hint=f"Say it with agentctl approvals resolve {ids[0]} --ran or --did-not-run, then go on with "
            f"agentctl resume {pending[0].run_id}.",
        )
    return Paused(
        f"a call of {tools} waits for approval: {', '.join(ids)}",
        hint=f"Go on with agentctl approvals approve {' '.join(ids)} --resume, or deny it in the same way.",
    )


def _proposal(call: ToolCall) -> dict[str, Any]:
    sent = {"raw": call.raw} if call.arguments is None else {"arguments": dict(call.arguments)}
    return {"call_id": call.id, "tool": call.name, "name": call.name, **sent}


def _key(call: ToolCall) -> str:
    """Equal for calls that ask for the same thing."""
    arguments = call.raw if call.arguments is None else json.dumps(call.arguments, sort_keys=True)
    return f"{call.name} {arguments}"
