"""What recordings and replays have in common: an engine that runs turns on a tape."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from agentctl.chat.abort import Abort
from agentctl.chat.engine import Engine
from agentctl.chat.opening import Opening
from agentctl.chat.toolbox import Toolbox
from agentctl.domain.agent import Agent
from agentctl.domain.chat import ChatRequest
from agentctl.domain.event import Event
from agentctl.domain.ids import drawn_from
from agentctl.domain.model import Provider
from agentctl.domain.question import Ask
from agentctl.domain.session import Session
from agentctl.domain.source import Source
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Adapter
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.documents.recollection import Recalled


class Tape(Protocol):
    """A recording being made or played, for one turn. `ask` is known once the turn is open."""

    @property
    def resolver(self) -> Resolver:
        """Finds the models."""
        ...

    @property
    def ask(self) -> Ask | None:
        """Puts tool calls to a person."""
        ...

    def adapter(self, provider: Provider) -> Adapter:
        """The adapter of a provider."""
        ...

    def toolbox(self, agent: Agent) -> Toolbox:
        """The tools of an agent."""
        ...

    def recall(self, user_id: int, question: str, budget: int) -> Recalled:
        """What an agent with `memory` is reminded of."""
        ...

    def start(self, opening: Opening) -> Source:
        """Make ready for the turn; where its clock and ids come from. Raises what forbids it."""
        ...

    def see(self, event: Event) -> None:
        """Take note of an event before it is shown."""
        ...


class TapedEngine:
    """An engine whose runs are recorded or replayed; `make` gives one that asks the person it is given."""

    def __init__(self, make: Callable[[Ask | None], Engine], tape: Tape) -> None:
        self._make = make
        self._tape = tape
        self._source: Source | None = None

    def open(self, request: ChatRequest) -> Opening:
        """As the engine; the title is the first line, for a model's would be a request beside the others."""
        opening = self._make(None).open(request)
        self._source = self._tape.start(opening)
        return replace(opening, agent=_titled_by_first_line(opening.agent))

    async def run(self, opening: Opening, abort: Abort) -> AsyncGenerator[Event, None]:
        """The events of the engine."""
        assert self._source is not None
        with drawn_from(self._source):
            async with aclosing(self._make(self._tape.ask).run(opening, abort)) as events:
                async for event in events:
                    self._tape.see(event)
                    yield event


def count_turns(store: Store, session: Session | None) -> int:
    """How many turns a session has had."""
    if session is None:
        return 0
    return sum(message.role == "user" for message in store.messages.history(session.id))


def _titled_by_first_line(agent: Agent) -> Agent:
    return replace(agent, title_strategy="first-line") if agent.title_strategy == "llm" else agent
