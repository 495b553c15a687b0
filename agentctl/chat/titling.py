"""Makes the title of a session through a model: beside the answer, or after it on the embedded one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing

from agentctl.chat.abort import Abort
from agentctl.chat.opening import Opening
from agentctl.chat.title import clean_title, is_enough
from agentctl.chat.turn import Turn
from agentctl.domain.message import Message, Text
from agentctl.domain.model import Provider, ResolvedModel
from agentctl.errors import AgentctlError
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Adapter, Delta, ModelRequest, Reply
from agentctl.store import Store

# An exit waits this long for a title and no longer.
TITLE_SECONDS = 2.0
PROMPT_LENGTH = 1_000
SYSTEM = (
    "You name conversations. Answer with a title of two to six words for the conversation that starts with "
    "the user's message, in the language of that message. No quotes, no full stop, nothing else."
)


class Titles:
    """Makes the title of a session through its title model."""

    def __init__(self, store: Store, resolver: Resolver, load_adapter: Callable[[Provider], Adapter]) -> None:
        self._store = store
        self._resolver = resolver
        self._load_adapter = load_adapter

    def model_for(self, opening: Opening) -> ResolvedModel:
        """The agent's title model, else its default model, else the one of the run."""
        agent = opening.agent
        reference = agent.title_model or (agent.default_model[0] if agent.default_model else None)
        return self._resolver.find(reference, "title") if reference else opening.model

    def is_embedded(self, opening: Opening) -> bool:
        """Whether the title model is the embedded one, which cannot do two things at once."""
        return self._load_adapter(self.model_for(opening).provider).embedded

    async def make(self, session_id: str, opening: Opening) -> None:
        """Ask for a title and store it if the session still has none; no title is no error."""
        model = self.model_for(opening)
        adapter = self._load_adapter(model.provider)
        adapter.check(model.model)
        prompt = opening.request.prompt[:PROMPT_LENGTH]
        request = ModelRequest(
            model=model.model,
            messages=(Message("user", (Text(prompt),)),),
            system=SYSTEM,
            purpose="text",
        )
        text = ""
        async with aclosing(adapter.stream(request)) as items:
            async for item in items:
                if isinstance(item, Reply):
                    text = "" if item.fault else item.text
                elif isinstance(item, Delta) and item.kind == "text":
                    text += item.text
                # A model that goes on and on has said its title long ago.
                if isinstance(item, Delta) and is_enough(text):
                    break
        title = clean_title(text)
        if title:
            self._store.sessions.set_title(session_id, title)


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

    def _is_embedded(self) -> bool:
        try:
            return self._titles.is_embedded(self._turn.opening)
        except AgentctlError:
            return False

    async def _make(self) -> None:
        # A title is a courtesy: whatever goes wrong with it changes neither output nor exit code.
        try:
            await self._titles.make(self._turn.recorder.session_id, self._turn.opening)
        except Exception:
            return
