"""The tool calls of one step: checked, decided on in order, run side by side."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from agentctl.chat.policy import Policy, Verdict
from agentctl.chat.recorder import Recorder
from agentctl.chat.toolbox import AgentsTool, Toolbox
from agentctl.domain.event import Event
from agentctl.domain.ids import new_id
from agentctl.domain.message import ToolCall, ToolOutput
from agentctl.domain.tool import ToolContext, ToolResult
from agentctl.errors import LimitReached, Stopped
from agentctl.providers.base import WireCall

# A model that asks for the same thing a third time is going round in circles.
REPEATS = 3
# Calls of one step that run at the same time.
PARALLEL = 8
NOT_ASKED = "this call needs a person's approval and nobody could be asked, so it was denied and did not run"

Allowed = tuple[ToolCall, AgentsTool, Verdict]


class Calls:
    """Runs the calls of every step of one run and keeps what the result object says of them."""

    def __init__(self, recorder: Recorder, toolbox: Toolbox, policy: Policy, user_id: int | None) -> None:
        self._recorder = recorder
        self._toolbox = toolbox
        self._policy = policy
        self._user_id = user_id
        self._seen: Counter[str] = Counter()
        self._secretive: set[str] = set()
        self.summaries: list[dict[str, Any]] = []
        self.denials: list[dict[str, Any]] = []
        self.outputs: dict[str, ToolOutput] = {}

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
        """Run one step's calls; yields their events, and every call ends with an output.

        Those after the first `allowed` are not run: the run has no more calls left.
        Raises LimitReached where a call came for the third time, Stopped where a person said so.
        """
        for call in calls:
            yield self._recorder.record("tool.call", _proposal(call))
        ready: list[Allowed] = []
        for number, call in enumerate(calls):
            tool, fault = self._check(call)
            if number >= allowed:
                fault = "the run reached its limit of tool calls, so this call was not run"
            if tool is None or fault:
                yield self._refuse(call, fault or f'there is no tool "{call.name}"', status="failed")
                continue
            verdict = await self._policy.decide(tool, call)
            if verdict.decision == "stop":
                raise Stopped("stopped at the question about a tool call")
            yield self._recorder.decide(
                replace(call, arguments=verdict.arguments),
                verdict.decision,
                verdict.by,
                scope=verdict.scope,
                reason=verdict.reason,
            )
            if verdict.decision == "deny":
                yield self._deny(call, verdict)
                continue
            ready.append((replace(call, arguments=verdict.arguments), tool, verdict))
        async with aclosing(self._execute(ready)) as running:
            async for event in running:
                yield event
        repeated = [call.name for call in calls if self._seen[_key(call)] >= REPEATS]
        if repeated:
            raise LimitReached(
                f"{repeated[0]} was called with the same arguments {REPEATS} times, so the run was ended",
                hint="Ask more precisely, or choose a stronger model with -m.",
            )

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
        self._recorder.start([call for call, _, _ in batch])
        for call, tool, verdict in batch:
            task = asyncio.create_task(tool.run(call.arguments or {}, self._context(call, verdict)))
            running[task] = call, tool, verdict

    def _keep(self, allowed: Allowed, result: ToolResult) -> Event:
        call, tool, _ = allowed
        self._policy.learn(result)
        status = "done" if result.success else "failed"
        return self._finish(call, result, tool.text(result), status=status)

    def _context(self, call: ToolCall, verdict: Verdict) -> ToolContext:
        return ToolContext(
            tool_id=f"tool_{call.name}",
            tool_slug=call.name,
            user_id=self._user_id,
            session_id=self._recorder.session_id,
            approved=verdict.by in ("flag", "person", "session"),
            confined=verdict.confined,
            call_id=call.id,
        )

    def _deny(self, call: ToolCall, verdict: Verdict) -> Event:
        if verdict.by == "nobody":
            why = f": {verdict.reason}" if verdict.reason else ""
            reason = f"needs approval and nobody could be asked{why}"
            self.denials.append({**_proposal(call), "reason": reason})
            return self._refuse(call, f"{NOT_ASKED}{why}", status="denied", needs_approval=True)
        reason = f": {verdict.reason}" if verdict.reason else ""
        return self._refuse(call, f"the user denied this call{reason}", status="denied")

    def _refuse(self, call: ToolCall, error: str, *, status: str, needs_approval: bool = False) -> Event:
        metadata: dict[str, Any] = {"duration_ms": 0}
        if needs_approval:
            metadata["needs_approval"] = True
        result = ToolResult(success=False, error=error, metadata=metadata)
        return self._finish(call, result, f"Error: {error}", status=status)

    def _finish(self, call: ToolCall, result: ToolResult, output: str, *, status: str) -> Event:
        self.outputs[call.id] = ToolOutput(call.id, call.name, output, result.success)
        self.summaries.append(
            {
                **_proposal(call),
                "success": result.success,
                "error": result.error,
                "duration_ms": result.metadata.get("duration_ms", 0),
            }
        )
        return self._recorder.result(call, result, output, status=status)


def _proposal(call: ToolCall) -> dict[str, Any]:
    sent = {"raw": call.raw} if call.arguments is None else {"arguments": dict(call.arguments)}
    return {"call_id": call.id, "tool": call.name, "name": call.name, **sent}


def _key(call: ToolCall) -> str:
    """Equal for calls that ask for the same thing."""
    arguments = call.raw if call.arguments is None else json.dumps(call.arguments, sort_keys=True)
    return f"{call.name} {arguments}"
