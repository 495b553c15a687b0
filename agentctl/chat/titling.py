"""Makes the title of a session through a model: beside the answer, or after it on the embedded one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from agentctl.chat.abort import Abort
from agentctl.chat.spending import Spending
from agentctl.chat.turn import Turn
from agentctl.documents.titles import Complete, TitleFailed, make_title
from agentctl.domain.agent import Agent
from agentctl.domain.message import Message, Text
from agentctl.domain.model import Provider, ResolvedModel
from agentctl.errors import AgentctlError
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Adapter, Delta, ModelRequest, Reply
from agentctl.store import Store

# An exit waits this long for a title and no longer.
TITLE_SECONDS = 2.0


class Titles:
    """Makes titles through the title models of agents."""

    def __init__(self, store: Store, resolver: Resolver, load_adapter: Callable[[Provider], Adapter]) -> None:
        self._store = store
        self._resolver = resolver
        self._load_adapter = load_adapter

    def model_for(self, agent: Agent, user_id: int, otherwise: ResolvedModel) -> ResolvedModel:
        """The agent's title model, else its default model, else `otherwise`."""
        reference = agent.title_model or (agent.default_model[0] if agent.default_model else None)
        return self._resolver.find(reference, "the title model", user_id) if reference else otherwise

    def is_embedded(self, model: ResolvedModel) -> bool:
        """Whether this is the embedded model, which cannot do two things at once."""
        return self._load_adapter(model.provider).embedded

    async def make(self, text: str, agent: Agent, model: ResolvedModel, spending: Spending) -> str | None:
        """A title by the agent's strategy; `model` is the one from `model_for`, `spending` pays for it."""
        return await make_title(text, agent.title_strategy, self._completer(model, spending))

    def _completer(self, model: ResolvedModel, spending: Spending) -> Complete:
        async def complete(system: str, text: str) -> AsyncGenerator[str, None]:
            try:
                adapter = self._load_adapter(model.provider)
                adapter.check(model.model)
                size = _estimate(system + text) if spending.is_limited else 0
                reservation = spending.reserve(model, size, purpose="title")
            except AgentctlError as error:
                raise TitleFailed(error.message) from error
            request = ModelRequest(
                model.model,
                (Message("user", (Text(text),)),),
                system=system,
                purpose="text",
                max_output=reservation.max_output,
            )
            reply = Reply()
            try:
                async with aclosing(adapter.stream(request)) as items:
                    async for item in items:
                        if isinstance(item, Delta) and item.kind == "text":
                            yield item.text
                        elif isinstance(item, Reply):
                            reply = item
            finally:
                if reply.fault:
                    spending.release(reservation)
                else:
                    spending.settle(reservation, reply.usage)
            if reply.fault:
                raise TitleFailed(reply.fault.message)

        return complete


def _estimate(text: str) -> int:
    # Nobody needs to know where nothing is limited.
    from agentctl.domain.tokens import estimate_tokens

    return estimate_tokens(text)


class Titling:
    """The title of one run's session: made beside the answer, or after it on an embedded model."""

    def __init__(self, titles: Titles, turn: Turn) -> None:
        self._titles = titles
        self._turn = turn
        self._task: asyncio.Task[None] | None = None

    def start_beside(self) -> None:
        """Start now, unless the model that makes titles is the embedded one and busy with the answer."""
        if self._is_wanted() and not self._is_embedded():
            self._task = asyncio.create_task(self._make())

    async def finish(self, abort: Abort) -> None:
        """Give the title its two seconds; an aborted or failed run waits for nothing."""
        answered = self._turn.last is not None and self._turn.fault is None and abort.error is None
        if answered and self._task is None and self._is_wanted() and self._is_embedded():
            self._task = asyncio.create_task(self._make())
        if self._task is None:
            return
        try:
            if answered:
                await asyncio.wait({self._task}, timeout=TITLE_SECONDS)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        except asyncio.CancelledError:
            if abort.accept() is None:
                raise
        finally:
            self._task.cancel()

    def _is_wanted(self) -> bool:
        opening = self._turn.opening
        untitled = opening.session is None or opening.session.title is None
        return untitled and opening.agent.title_strategy == "llm"

    def _model(self) -> ResolvedModel:
        opening = self._turn.opening
        return self._titles.model_for(opening.agent, opening.user.id, opening.model)

    def _is_embedded(self) -> bool:
        try:
            return self._titles.is_embedded(self._model())
        except AgentctlError:
            return False

    async def _make(self) -> None:
        # A title is a courtesy: whatever goes wrong with it changes neither output nor exit code.
        try:
            opening, recorder = self._turn.opening, self._turn.recorder
            title = await self._titles.make(
                opening.request.prompt, opening.agent, self._model(), self._turn.spending
            )
            if title:
                recorder.store.sessions.set_title(recorder.session_id, title)
        except Exception:
            return
