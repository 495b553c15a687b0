"""All writes of a run: the message and run row before the first request, every step as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from agentctl.chat.holder import current_holder
from agentctl.chat.opening import Opening
from agentctl.chat.policy import Grant
from agentctl.chat.takeover import take_over
from agentctl.documents.titles import first_line
from agentctl.domain.event import Event
from agentctl.domain.ids import new_id, now_ms
from agentctl.domain.message import Message, Part, Reasoning, Text, ToolCall
from agentctl.domain.outcome import RunResult
from agentctl.domain.run import RunStatus
from agentctl.domain.tool import ToolResult
from agentctl.errors import AgentctlError
from agentctl.providers.base import Delta, Reply
from agentctl.store import Store
from agentctl.store.runs import NewRun

# A crash loses at most this much of an answer (DESIGN, section 6).
FLUSH_SECONDS = 0.1


class Recorder:
    """Turns what happens into rows and events; one instance serves one run."""

    def __init__(self, store: Store, opening: Opening) -> None:
        self.store = store
        self.opening = opening
        self.session_id = ""
        self.run_id = ""
        self.history: tuple[Message, ...] = ()
        self.grants: list[Grant] = []
        self.started_at = now_ms()
        self._seq = 0
        self._pending: list[Event] = []
        self._timer: asyncio.TimerHandle | None = None
        self._spoken: dict[str, list[str]] = {"text": [], "reasoning": []}

    def begin(self) -> Event:
        """Commit the user's message and the run row; returns the `init` event.

        Raises Busy where another living process works on the session.
        """
        opening, request = self.opening, self.opening.request
        with self.store.transaction():
            session = opening.session
            if session is None:
                self.session_id = self.store.sessions.create(
                    opening.user.id, opening.agent.id, opening.agent.slug, request.model, opening.revision
                )
            else:
                self.session_id = session.id
                take_over(self.store, session.id)
            self.run_id = self.store.runs.start(self._new_run())
            self.say((Text(request.prompt), *request.files))
            self.store.sessions.touch(self.session_id)
            if opening.agent.title_strategy == "first-line":
                self.store.sessions.set_title(self.session_id, first_line(request.prompt))
            self.history = self.store.messages.history(self.session_id, with_files=True)
            self.grants = self.store.calls.granted(self.session_id)
            return self.record(
                "init",
                {
                    "run_id": self.run_id,
                    "session_id": self.session_id,
                    "agent": opening.agent.slug,
                    "model": opening.model.reference,
                    "tools": opening.toolbox.names,
                },
            )

    def say(self, parts: Sequence[Part]) -> Message:
        """Store a message of the user's side."""
        message = Message(
            "user", tuple(parts), id=new_id("am"), session_id=self.session_id, run_id=self.run_id
        )
        self.store.messages.add(message)
        return message

    def delta(self, delta: Delta) -> Event:
        """A piece of the answer; written within FLUSH_SECONDS, together with its neighbours."""
        self._spoken[delta.kind].append(delta.text)
        name = "message.delta" if delta.kind == "text" else "reasoning.delta"
        event = self._event(name, {"text": delta.text})
        self._pending.append(event)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._flush_late)
        return event

    def record(self, name: str, data: Mapping[str, Any]) -> Event:
        """An event that is written at once."""
        event = self._event(name, data)
        self._pending.append(event)
        self.flush()
        return event

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
        with self.store.transaction(durable=bool(calls)):
            message = replace(message, cost_usd=settle(message_id))
            self.store.messages.add(message)
            self.store.calls.propose(self.run_id, message.id, calls)
            self._forget_deltas()
            event = self.record(
                "message", {"message_id": message.id, "text": reply.text, "finish": reply.finish}
            )
        self._spoken = {"text": [], "reasoning": []}
        return message, event

    def spoken(self) -> Reply | None:
        """What has been said so far of an answer that will not end; None where nothing was."""
        text, reasoning = ("".join(self._spoken[kind]) for kind in ("text", "reasoning"))
        return Reply(text=text, reasoning=reasoning, finish="error") if text or reasoning else None

    def decide(
        self, call: ToolCall, decision: str, by: str, *, scope: str | None = None, reason: str | None = None
    ) -> Event:
        """Commit what was decided about a call; `scope` is what a person allowed for the session."""
        note = {"decision": decision, "by": by, "scope": scope, "reason": reason}
        with self.store.transaction(durable=True):
            status = "approved" if decision == "allow" else "denied"
            self.store.calls.decide(call.id, status, note, call.arguments)
            return self.record(
                "tool.decision", {"call_id": call.id, "decision": decision, "by": by, "rule": None}
            )

    def start(self, calls: Sequence[ToolCall]) -> None:
        """Commit that these calls run now, before any of them does."""
        with self.store.transaction(durable=True):
            for call in calls:
                self.store.calls.start(call.id)

    def result(self, call: ToolCall, result: ToolResult, output: str, *, status: str) -> Event:
        """Commit the result of one call, at once and alone."""
        data: dict[str, Any] = {"call_id": call.id, "success": result.success}
        data["data" if result.success else "error"] = result.data if result.success else result.error
        data["duration_ms"] = result.metadata.get("duration_ms", 0)
        with self.store.transaction(durable=True):
            self.store.calls.finish(call.id, result, output, status=status)
            return self.record("tool.result", data)

    def finish(self, status: RunStatus, result: RunResult) -> Event:
        """Commit how the run ended; the last event of every run."""
        with self.store.transaction():
            self.store.calls.abandon(self.run_id)
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
            return self.record("result", result.as_dict())

    def flush(self) -> None:
        """Write the events that wait; neighbouring deltas become one row."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        events = _joined(self._pending)
        if events:
            with self.store.transaction():
                self.store.events.add(self.run_id, events)
        self._pending = []

    def _flush_late(self) -> None:
        """The timer's flush: a failure is nothing for the event loop; the next write meets it again."""
        with suppress(AgentctlError):
            self.flush()

    def _forget_deltas(self) -> None:
        self._pending = [event for event in self._pending if not event.type.endswith(".delta")]
        self.store.events.drop_deltas(self.run_id)

    def _event(self, name: str, data: Mapping[str, Any]) -> Event:
        self._seq += 1
        return Event(name, data, self._seq, now_ms())

    def _new_run(self) -> NewRun:
        opening = self.opening
        return NewRun(
            session_id=self.session_id,
            user_id=opening.user.id,
            agent_slug=opening.agent.slug,
            model=opening.model.reference,
            cwd=opening.request.cwd,
            revision=opening.revision,
            settings=opening.request.settings(),
            holder=current_holder(),
        )


def _joined(events: Sequence[Event]) -> list[Event]:
    """Runs of deltas of one kind as one event with the last number, so that a long answer stays few rows."""
    joined: list[Event] = []
    texts: list[str] = []
    for position, event in enumerate(events):
        if not event.type.endswith(".delta"):
            joined.append(event)
            continue
        texts.append(event.data["text"])
        following = events[position + 1] if position + 1 < len(events) else None
        if following is None or following.type != event.type:
            joined.append(Event(event.type, {"text": "".join(texts)}, event.seq, event.ts))
            texts = []
    return joined
