"""Puts a question to the models: fitted to the window, tried again, and to the next one where one is down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace

from agentctl.chat.candidates import find_ready
from agentctl.chat.opening import Opening
from agentctl.chat.spending import Reservation, Spending
from agentctl.chat.window import Sending, Window
from agentctl.domain.message import Message
from agentctl.domain.model import Provider, ResolvedModel
from agentctl.errors import AgentctlError
from agentctl.providers.attempts import stream_with_retries
from agentctl.providers.base import (
    Adapter,
    Delta,
    Fault,
    ModelRequest,
    Notice,
    Reply,
    StreamItem,
)

# Faults that speak of one provider, so that another may do better.
DOWN = ("temporary", "credentials", "timeout")


class Asking:
    """Asks the models of one run, best first. `model` is asked now, `reservation` holds its request.

    `deadline` (seconds, by the monotonic clock) is when the run's time is over.
    """

    def __init__(
        self,
        opening: Opening,
        spending: Spending,
        load_adapter: Callable[[Provider], Adapter],
        *,
        attempts: int,
        deadline: float | None,
    ) -> None:
        self.reservation: Reservation | None = None
        self._opening = opening
        self._ready = opening.ready
        self._spending = spending
        self._load_adapter = load_adapter
        self._attempts = attempts
        self._deadline = deadline
        self._window = Window(opening)
        self._may_shrink = True

    @property
    def model(self) -> ResolvedModel:
        """The model that is asked now."""
        return self._ready.model

    async def ask(self, messages: tuple[Message, ...]) -> AsyncGenerator[StreamItem, None]:
        """Deltas and notices, then one Reply.

        As long as nothing was said, a request that was too large is made once more with less history, and
        where a model is down the next of the agent's list is asked. Raises LimitReached where a request
        could pass a limit.
        """
        sending: Sending | None = self._window.select(messages, self._ready)
        self._may_shrink = True
        reply = Reply()
        while sending is not None:
            for notice in sending.notices:
                yield notice
            shown = False
            try:
                async with aclosing(self._stream(sending)) as items:
                    async for item in items:
                        shown = shown or isinstance(item, Delta)
                        if isinstance(item, Reply):
                            reply = item
                        else:
                            yield item
            except AgentctlError:
                # It was not even sent.
                self._spending.release(self.reservation)
                raise
            if reply.fault is None or shown:
                break
            failed = self.model.reference
            sending = await self._next(messages, sending, reply.fault)
            if sending is not None and self.model.reference != failed:
                yield Notice(
                    "fallback", f"{failed} is down ({reply.fault.message}); asking {self.model.reference}"
                )
        yield reply

    async def _next(self, messages: tuple[Message, ...], sent: Sending, fault: Fault) -> Sending | None:
        """What to send after a request of which nothing came; None where that was the last word."""
        if fault.overflows and self._may_shrink:
            self._may_shrink = False
            smaller = self._window.shrink(sent, self._ready, fault)
            if smaller is not None:
                return smaller
        if fault.kind not in DOWN or not await self._turn_to_next():
            return None
        self._may_shrink = True
        return self._window.select(messages, self._ready)

    def _stream(self, sending: Sending) -> AsyncGenerator[StreamItem, None]:
        opening = self._opening
        self.reservation = self._spending.reserve(self.model, sending.estimated_input)
        request = ModelRequest(
            model=self.model.model,
            messages=sending.messages,
            system=opening.system,
            tools=opening.toolbox.schemas,
            options=opening.agent.options,
            thinking=opening.thinking,
            max_output=self.reservation.max_output,
            schema=opening.request.schema,
        )
        return stream_with_retries(
            self._ready.adapter, request, attempts=self._attempts, deadline=self._deadline
        )

    async def _turn_to_next(self) -> bool:
        """Make the next model that can be asked the one that is; False where there is none."""
        if not self._ready.fallbacks:
            return False
        self._spending.release(self.reservation)
        try:
            # A command that prints a key may take its time.
            self._ready = await asyncio.to_thread(find_ready, self._ready.fallbacks, self._load_adapter)
        except AgentctlError:
            self._ready = replace(self._ready, fallbacks=())
            return False
        return True
