"""The steps of one run: ask the model, run its calls, ask again, until it has answered."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from agentctl.chat.calls import Calls
from agentctl.chat.opening import Opening
from agentctl.chat.recorder import Recorder
from agentctl.domain.event import WAITS, Event
from agentctl.domain.ids import new_id
from agentctl.domain.message import Message, ToolCall, Usage
from agentctl.errors import EmptyAnswer, LimitReached, ModelRefused
from agentctl.providers.attempts import stream_with_retries
from agentctl.providers.base import Delta, Fault, ModelRequest, Notice, Reply


class Turn:
    """Goes from step to step; what it has seen by the end is what the result is made of."""

    def __init__(self, opening: Opening, recorder: Recorder, calls: Calls, attempts: int) -> None:
        self._attempts = attempts
        self.opening = opening
        self.recorder = recorder
        self.calls = calls
        self.messages = recorder.history
        self.last: Message | None = None
        self._proposed: tuple[ToolCall, ...] = ()
        self._said = ""
        self.fault: Fault | None = None
        self.usage = Usage()
        self.num_turns = 0
        self.warnings: list[dict[str, str]] = []

    async def steps(self) -> AsyncGenerator[Event, None]:
        """Yield the events of all steps.

        Raises LimitReached after `max_steps`, EmptyAnswer, ModelRefused, or the error of a failed request.
        """
        for _ in range(self.opening.max_steps):
            async with aclosing(self._answer()) as answer:
                async for event in answer:
                    yield event
            if not self._proposed:
                break
            async with aclosing(self.calls.run(self._proposed)) as running:
                async for event in running:
                    yield event
            outputs = tuple(self.calls.outputs[call.id] for call in self._proposed)
            self.messages = (*self.messages, Message("tool", outputs))
        else:
            raise LimitReached(
                f"the run reached its limit of {self.opening.max_steps} steps before the model was done",
                hint="Allow more with --max-steps N, or max_step_count in the agent's YAML.",
            )
        if not self._said.strip():
            raise EmptyAnswer(
                "the model finished without an answer", hint="Ask again, or choose another model with -m."
            )

    def warn(self, kind: str, message: str) -> Event:
        """A `warning` event; the result lists it too, unless it only explains a wait."""
        warning = {"kind": kind, "message": message}
        if kind not in WAITS:
            self.warnings.append(warning)
        return self.recorder.record("warning", warning)

    def cut(self, status: str) -> Event | None:
        """Keep what had been said of an answer that was ended from outside."""
        kept = self.recorder.cut(status)
        if kept is None:
            return None
        self.last, event = kept
        return event

    async def _answer(self) -> AsyncGenerator[Event, None]:
        reply = Reply()
        stream = stream_with_retries(self.opening.adapter, self._request(), attempts=self._attempts)
        async with aclosing(stream):
            async for item in stream:
                match item:
                    case Delta():
                        yield self.recorder.delta(item)
                    case Notice(kind, message):
                        yield self.warn(kind, message)
                    case Reply():
                        reply = item
        self.num_turns += 1
        self.usage += reply.usage or Usage()
        self._said = reply.text
        self._proposed = calls = self._calls_of(reply)
        if reply.text or reply.reasoning or calls:
            status = "failed" if reply.fault else "complete"
            self.last, event = self.recorder.message(reply, calls, status)
            self.messages = (*self.messages, self.last)
            yield event
        self._raise_for(reply, calls)

    def _request(self) -> ModelRequest:
        opening = self.opening
        return ModelRequest(
            model=opening.model.model,
            messages=self.messages,
            system=opening.system,
            tools=opening.toolbox.schemas,
            options=opening.agent.options,
            thinking=opening.thinking,
        )

    def _calls_of(self, reply: Reply) -> tuple[ToolCall, ...]:
        """The calls that become rows; those of a failed, refused or cut answer never do."""
        if reply.fault or reply.refusal or reply.finish in ("content_filter", "refusal"):
            return ()
        if reply.finish == "length" and not any(call.run for call in reply.calls):
            return ()
        return tuple(
            ToolCall(
                new_id("ac"), call.name, call.arguments, None if call.arguments is not None else call.raw
            )
            for call in reply.calls
        )

    def _raise_for(self, reply: Reply, calls: tuple[ToolCall, ...]) -> None:
        if reply.fault:
            self.fault = reply.fault
            raise reply.fault.as_error()
        if reply.refusal or reply.finish == "refusal":
            raise ModelRefused(
                "the model refused to answer", hint="Ask differently, or choose another model."
            )
        if reply.finish == "content_filter":
            raise ModelRefused("the provider's content filter cut the answer", hint="Ask differently.")
        if reply.finish == "length" and not calls:
            raise LimitReached(
                "the answer was cut at the model's output limit",
                hint="Raise max_tokens in the agent's options, or max_output_tokens of the model.",
            )
