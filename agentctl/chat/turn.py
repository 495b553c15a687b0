"""The steps of one run: ask the model, run its calls, ask again, until it has answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from agentctl.chat.asking import Asking
from agentctl.chat.calls import Calls
from agentctl.chat.opening import Opening
from agentctl.chat.recorder import Recorder
from agentctl.chat.spending import Spending
from agentctl.domain.event import WAITS, Event
from agentctl.domain.message import Message, Text, ToolCall, Usage
from agentctl.errors import EmptyAnswer, LimitReached, ModelRefused
from agentctl.providers.base import Delta, Fault, Finish, Notice, Reply

if TYPE_CHECKING:
    from agentctl.chat.structured import StructuredOutput


class Turn:
    """Goes from step to step; what it has seen by the end is what the result is made of.

    `structured` checks the answer where it has a schema to keep to.
    """

    def __init__(
        self,
        opening: Opening,
        recorder: Recorder,
        calls: Calls,
        asking: Asking,
        spending: Spending,
        structured: StructuredOutput | None = None,
    ) -> None:
        self.opening = opening
        self.recorder = recorder
        self.calls = calls
        self.asking = asking
        self.spending = spending
        self.structured = structured
        self.messages = recorder.progress.messages
        self.last = recorder.progress.last
        self.fault: Fault | None = None
        self.usage = recorder.progress.usage
        self.num_turns = recorder.progress.num_turns
        self.warnings: list[dict[str, str]] = []
        self._reply = Reply()
        self._proposed: tuple[ToolCall, ...] = ()

    async def steps(self) -> AsyncGenerator[Event, None]:
        """Yield the events of all steps.

        Raises LimitReached where a limit is reached, EmptyAnswer, ModelRefused, SchemaBroken, or the error of
        a failed request.
        """
        answered = await self._take_up()
        steps = self.opening.max_steps - self.num_turns
        while answered or steps > 0:
            if not answered:
                steps -= 1
                async with aclosing(self._answer()) as answer:
                    async for event in answer:
                        yield event
            answered = False
            if self._proposed:
                async with aclosing(self._run_calls()) as running:
                    async for event in running:
                        yield event
            elif self._reply.finish != "pause_turn":
                if not self._asks_again():
                    break
                # The round of repair is ours, not a step of the model's.
                steps += 1
        else:
            raise LimitReached(
                f"the run reached its limit of {self.opening.max_steps} steps before the model was done",
                hint="Allow more with --max-steps N, or max_step_count in the agent's YAML.",
            )
        if not self._reply.text.strip():
            raise EmptyAnswer(
                "the model finished without an answer", hint="Ask again, or choose another model with -m."
            )
        if self.structured:
            self.structured.require()

    async def _take_up(self) -> bool:
        """Whether the run stopped behind a whole answer: nothing is asked for it again."""
        if not self.recorder.progress.is_answered:
            return False
        assert self.last is not None
        self._reply = Reply(text=self.last.text, finish=cast(Finish, self.last.finish))
        self._proposed = self.last.calls
        if self.structured and not self._proposed:
            await asyncio.to_thread(self.structured.check, self.last.text)
        return True

    def warn(self, kind: str, message: str) -> Event:
        """A `warning` event; the result lists it too, unless it only explains a wait."""
        warning = {"kind": kind, "message": message}
        if kind not in WAITS:
            self.warnings.append(warning)
        return self.recorder.journal.record("warning", warning)

    def cut(self, status: str) -> Event | None:
        """Keep what had been said of an answer that was ended from outside."""
        said = self.recorder.journal.spoken()
        return None if said is None else self._keep(said, (), status)

    async def _answer(self) -> AsyncGenerator[Event, None]:
        """Ask once. With a schema nothing of an answer is shown before it was checked."""
        withheld: list[Event] = []
        async with aclosing(self.asking.ask(self.messages)) as stream:
            async for item in stream:
                match item:
                    case Delta("text") if self.structured:
                        withheld.append(self.recorder.journal.delta(item))
                    case Delta():
                        yield self.recorder.journal.delta(item)
                    case Notice(kind, message):
                        yield self.warn(kind, message)
                    case Reply():
                        self._reply = item
        reply = self._reply
        self.num_turns += 1
        self.usage += reply.usage or Usage()
        self._proposed = calls = self._calls_of(reply)
        is_answer = not calls and not reply.fault
        # A check may take a while, and must hold up no signal.
        broken = bool(
            self.structured and is_answer and not await asyncio.to_thread(self.structured.check, reply.text)
        )
        if reply.text or reply.reasoning or calls:
            status = "failed" if reply.fault else "rejected" if broken else "complete"
            event = self._keep(reply, calls, status)
            if not broken and not (self.structured and reply.fault):
                for delta in withheld:
                    yield delta
                yield event
        elif reply.fault and reply.usage is None:
            self.spending.release(self.asking.reservation)
        else:
            self._settle(reply, None)
        self._raise_for(reply, calls)

    def _keep(self, reply: Reply, calls: tuple[ToolCall, ...], status: str) -> Event:
        self.last, event = self.recorder.message(
            reply,
            calls,
            status,
            self.asking.model.origin,
            lambda message_id: self._settle(reply, message_id),
        )
        self.messages = (*self.messages, self.last)
        return event

    def _settle(self, reply: Reply, message_id: str | None) -> float | None:
        """Store what the answer cost; None where that is unknown."""
        reservation = self.asking.reservation
        if reservation is None:
            return None
        received = None
        if reply.usage is None and self.opening.limits.bounds_requests:
            from agentctl.domain.tokens import estimate_tokens

            received = estimate_tokens(reply.text + reply.reasoning)
        return self.spending.settle(reservation, reply.usage, message_id, received=received)

    async def _run_calls(self) -> AsyncGenerator[Event, None]:
        allowed = self.spending.allow_calls(len(self._proposed))
        async with aclosing(self.calls.run(self._proposed, allowed)) as running:
            async for event in running:
                yield event
        outputs = tuple(self.calls.results.outputs[call.id] for call in self._proposed)
        self.messages = (*self.messages, Message("tool", outputs))
        if allowed < len(self._proposed):
            raise self.spending.calls_used_up()

    def _asks_again(self) -> bool:
        """Whether the model is to repair an answer that broke its schema; then it is told what is wrong."""
        question = self.structured.repair() if self.structured else None
        if question is not None:
            self.messages = (*self.messages, self.recorder.say((Text(question),)))
        return question is not None

    def _calls_of(self, reply: Reply) -> tuple[ToolCall, ...]:
        """The calls that become rows; those of a failed, refused or cut answer never do."""
        if reply.fault or reply.refusal or reply.finish in ("content_filter", "refusal"):
            return ()
        if reply.finish == "length" and not any(call.run for call in reply.calls):
            return ()
        return tuple(self.calls.accept(call) for call in reply.calls)

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
            cut = self.asking.reservation and self.spending.cut(self.asking.reservation)
            raise cut or LimitReached(
                "the answer was cut at the model's output limit",
                hint="Raise max_tokens in the agent's options or max_output_tokens of the model; where its "
                "window is full, start a new session.",
            )
