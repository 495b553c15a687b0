"""The tool calls of one step: checked, decided on in order, run side by side."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from agentctl.chat.call_checks import REPEATS, CallChecks
from agentctl.chat.call_results import CallResults, proposal
from agentctl.chat.caller import Caller
from agentctl.chat.deciding import Deciding
from agentctl.chat.policy import Policy, Verdict
from agentctl.chat.recorder import Recorder
from agentctl.chat.toolbox import AgentsTool
from agentctl.chat.waiting import paused
from agentctl.domain.approval import Approval
from agentctl.domain.event import Event
from agentctl.domain.ids import new_id
from agentctl.domain.message import ToolCall
from agentctl.domain.states import CallStatus
from agentctl.domain.tool import ToolResult
from agentctl.errors import LimitReached, PolicyDenied, Stopped
from agentctl.providers.base import WireCall

# Calls of one step that run at the same time.
PARALLEL = 8
NO_ROOM = "the run reached its limit of tool calls, so this call was not run"

Allowed = tuple[ToolCall, AgentsTool, Verdict]


class Calls:
    """Runs the calls of every step of one run; `results` is what became of them.

    `pending` are the questions that the run waits for.
    """

    def __init__(self, recorder: Recorder, policy: Policy, caller: Caller) -> None:
        self._recorder = recorder
        self._caller = caller
        self._toolbox = recorder.opening.toolbox
        self._policy = policy
        stored = recorder.progress.calls
        self._deciding = Deciding(recorder, policy, {each.call.id: each for each in stored})
        earlier = (each.call for each in recorder.progress.earlier_calls)
        self._checks = CallChecks(self._toolbox, caller, earlier)
        self._answered: dict[str, Approval] = {}
        self._late: list[ToolCall] = []
        self.pending: list[Approval] = []
        self.results = CallResults(recorder, stored)

    def accept(self, call: WireCall) -> ToolCall:
        """What a model called, as it is stored and sent from now on: with an id of ours, without secrets."""
        blanks = self._toolbox.find_blanks()
        accepted = ToolCall(new_id("ac"), call.name, blanks.blank(call.arguments), None)
        if call.arguments is None:
            accepted = replace(accepted, raw=blanks.blank(call.raw))
        if blanks.holds(call.arguments if call.arguments is not None else call.raw):
            self._checks.note_secret(accepted)
        return accepted

    async def run(self, calls: Sequence[ToolCall], allowed: int) -> AsyncGenerator[Event, None]:
        """Run one step's calls; yields their events. Those that have a result already are passed over.

        Those after the first `allowed` are not run: the run has no more calls left. Raises Paused where a
        person has to answer first, PolicyDenied where that is to fail the run, LimitReached where a call
        came for the third time, Stopped where a person said so.
        """
        open_calls = [
            (number, call) for number, call in enumerate(calls) if call.id not in self.results.outputs
        ]
        for _, call in open_calls:
            yield self._recorder.journal.record("tool.call", proposal(call))
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
        repeated = [call.name for call in calls if self._checks.is_repeated(call)]
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
            tool, fault = self._checks.check(call)
            if tool is None or fault or not has_room:
                yield self.results.refuse(call, (has_room and fault) or NO_ROOM, status="failed")
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
            yield self.results.close_lost(call, decided.ran, decided.answered)
            return
        yield self._recorder.decide(call, verdict, decided.answered)
        if verdict.decision != "allow":
            yield self.results.deny(call, verdict)
            if verdict.decision == "fail":
                raise PolicyDenied(
                    f"a call of {call.name} needs approval, and the run was to fail then",
                    hint="Allow it with --allow or a grant, or leave --on-approval fail out.",
                )
        elif tool is None:
            yield self.results.refuse(call, f'there is no tool "{call.name}" any more', status="denied")
        else:
            ready.append((call, tool, verdict))

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
        status: CallStatus = "done" if result.success else "failed"
        return self.results.keep(call, result, tool.text(result), status=status)
