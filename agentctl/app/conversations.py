"""Conversations turn by turn: each is shown, and recorded or replayed where that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agentctl.chat.driver import Audience, run_turn
from agentctl.chat.engine import Engine
from agentctl.chat.opening import enabled_agent
from agentctl.domain.chat import ChatRequest
from agentctl.domain.question import Ask
from agentctl.errors import SchemaBroken
from agentctl.models.resolver import Resolver
from agentctl.render.streams import Streams
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.app.adapters import Adapters
    from agentctl.app.log import Log
    from agentctl.app.person import Person
    from agentctl.app.tools import Tools
    from agentctl.chat.tape import Tape


class Conversations:
    """Runs turns. A request that fails for a moment is made up to `attempts` times."""

    def __init__(
        self,
        store: Store,
        resolver: Resolver,
        adapters: Adapters,
        tools: Tools,
        person: Person,
        streams: Streams,
        log: Log | None,
        *,
        attempts: int,
        user_id: int,
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._adapters = adapters
        self._tools = tools
        self._person = person
        self._streams = streams
        self._log = log
        self._attempts = attempts
        self._user_id = user_id

    def require_agent(self, slug: str) -> None:
        """Raise NotFound where there is no such enabled agent."""
        enabled_agent(self._store, slug)

    def run_turn(self, request: ChatRequest, audience: Audience) -> Mapping[str, Any]:
        """Run one turn, show it to `audience` and return its result object."""
        if self._log:
            from agentctl.app.log import Logged

            self._log.learn(self._known_secrets())
            audience = Logged(audience, self._log)
        if request.record is None and request.replay is None:
            result = run_turn(
                self._engine(self._person.find_asker()), request, audience, self._adapters.close
            )
        else:
            result = self._run_on_tape(request, audience)
        if result["error"] and result["error"]["kind"] == SchemaBroken.kind:
            self._show_rejected(result)
        return result

    def _run_on_tape(self, request: ChatRequest, audience: Audience) -> Mapping[str, Any]:
        from agentctl.app.recording import open_tape
        from agentctl.chat.tape import TapedEngine

        tape = open_tape(
            request,
            self._resolver,
            self._adapters.runtime,
            self._tools.toolbox,
            self._person.find_asker(),
            self._known_secrets(),
        )
        taped = TapedEngine(lambda ask: self._engine(ask, tape), tape)
        result = run_turn(taped, request, audience, tape.close)
        for leftover in tape.list_leftovers():
            self._streams.note(f"warning: {leftover}")
        return result

    def _engine(self, ask: Ask | None, tape: Tape | None = None) -> Engine:
        """The engine; `ask` puts tool calls to a person, `tape` stands in for models and tools."""
        return Engine(
            self._store,
            tape.resolver if tape else self._resolver,
            tape.adapter if tape else self._adapters.load,
            tape.toolbox if tape else self._tools.toolbox,
            _make_checker,
            ask,
            self._attempts,
            self._adapters.deadline,
        )

    def _known_secrets(self) -> Iterator[str]:
        from agentctl.app.secrets import known_secrets

        return known_secrets(self._resolver, self._adapters.runtime, self._user_id)

    def _show_rejected(self, result: Mapping[str, Any]) -> None:
        """Show an answer that broke its schema: to people, and never on stdout."""
        from agentctl.render.controls import strip_controls

        messages = self._store.messages.history(result["session_id"])
        text = next((each.text for each in messages if each.id == result["message_id"]), "")
        self._streams.complain(strip_controls(text))


def _make_checker(schema: Mapping[str, Any]) -> Callable[[Any], list[str]]:
    from agentctl.formats.json_schema import make_checker

    return make_checker(schema)
