"""Conversations turn by turn: each is shown, and recorded or replayed where that was asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agentctl.chat.beginning import AlreadyAsked
from agentctl.chat.driver import Audience, run_turn
from agentctl.chat.engine import Engine
from agentctl.chat.holder import is_gone
from agentctl.chat.opening import enabled_agent, find_session
from agentctl.domain.chat import ChatRequest
from agentctl.domain.limits import Limits
from agentctl.domain.question import Ask
from agentctl.domain.run import Run
from agentctl.domain.user import User
from agentctl.errors import Busy, SchemaBroken, TimeLimit
from agentctl.models.resolver import Resolver
from agentctl.render.streams import Streams
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.app.adapters import Adapters
    from agentctl.app.log import Log
    from agentctl.app.person import Person
    from agentctl.app.tools import Tools
    from agentctl.chat.tape import Tape
    from agentctl.documents.recollection import Recalled

# How often a session is looked at that another process is answering in.
WAIT_SECONDS = 0.2


class Conversations:
    """Runs turns. A request that fails for a moment is made up to `attempts` times.

    `attach` shows a run that there is already, `announce` tells somebody of what waits in one.
    """

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
        user: User,
        attach: Callable[[Run, Audience], Mapping[str, Any]],
        announce: Callable[[str], None],
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._adapters = adapters
        self._tools = tools
        self._person = person
        self._streams = streams
        self._log = log
        self._attempts = attempts
        self._user = user
        self._attach = attach
        self._announce = announce

    def require_agent(self, slug: str) -> None:
        """Raise NotFound where there is no such enabled agent."""
        enabled_agent(self._store, slug)

    def run_turn(self, request: ChatRequest, audience: Audience) -> Mapping[str, Any]:
        """Run one turn, show it to `audience` and return its result object."""
        audience = self._logged(audience)
        if request.record is None and request.replay is None:
            result = self._run_when_free(request, audience)
        else:
            result = self._run_on_tape(request, audience)
        return self._end(result)

    def resume(
        self,
        run: Run,
        audience: Audience,
        *,
        deny: tuple[str, ...] = (),
        limits: Limits | None = None,
        max_steps: int | None = None,
    ) -> Mapping[str, Any]:
        """Go on with a run where it stopped; the flags only tighten it. Returns its result object.

        Raises UsageError where there is nothing to go on with, Busy where another process works on it.
        """
        from agentctl.chat.resumption import request_of

        audience = self._logged(audience)
        request = request_of(run, self._user.name, deny=deny, limits=limits, max_steps=max_steps)
        engine = self._engine(self._person.find_asker())
        return self._end(run_turn(engine, engine.reopen(run, request), audience, self._adapters.close))

    def _run_when_free(self, request: ChatRequest, audience: Audience) -> Mapping[str, Any]:
        engine = self._engine(self._person.find_asker())
        waited = False
        while True:
            try:
                return run_turn(engine, engine.open(request), audience, self._adapters.close)
            except AlreadyAsked as repeated:
                return self._attach(repeated.run, audience)
            except Busy:
                if not request.wait or self._waits_for_person(request):
                    raise
                if not waited:
                    self._streams.note("waiting: another process is answering in this session")
                waited = True
                self._wait(request)

    def _waits_for_person(self, request: ChatRequest) -> bool:
        """Whether a run of the session has paused: waiting here would never end."""
        session = find_session(self._store, self._user, request)
        runs = [] if session is None else self._store.runs.live(session.id)
        return any(run.status == "awaiting_approval" for run in runs)

    def _wait(self, request: ChatRequest) -> None:
        """Wait until no run works in the session; not longer than the run may take."""
        session = find_session(self._store, self._user, request)
        # A process that died, and a run that paused meanwhile, is seen by whoever begins.
        while session is not None and any(map(_is_worked_on, self._store.runs.live(session.id))):
            if self._adapters.deadline.left() == 0:
                raise TimeLimit("the time limit passed while another process was answering in this session")
            time.sleep(WAIT_SECONDS)

    def _end(self, result: Mapping[str, Any]) -> Mapping[str, Any]:
        if result["outcome"] == "paused":
            self._announce(result["run_id"])
        if result["error"] and result["error"]["kind"] == SchemaBroken.kind:
            self._show_rejected(result)
        return result

    def _logged(self, audience: Audience) -> Audience:
        if self._log is None:
            return audience
        from agentctl.app.log import Logged

        self._log.learn(self._known_secrets())
        return Logged(audience, self._log)

    def _run_on_tape(self, request: ChatRequest, audience: Audience) -> Mapping[str, Any]:
        from agentctl.app.recording import open_tape
        from agentctl.chat.tape import TapedEngine

        tape = open_tape(
            request,
            self._resolver,
            self._adapters.runtime,
            self._tools.toolbox,
            self._recall,
            self._person.find_asker(),
            self._known_secrets(),
        )
        taped = TapedEngine(lambda ask: self._engine(ask, tape), tape)
        result = run_turn(taped, taped.open(request), audience, tape.close)
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
            tape.recall if tape else self._recall,
            _make_checker,
            ask,
            self._attempts,
            self._adapters.deadline,
        )

    def _recall(self, user_id: int, question: str, budget: int) -> Recalled:
        from agentctl.app.recalling import recall_documents
        from agentctl.domain.blanks import Blanks

        recalled = recall_documents(self._store, user_id, question, budget)
        return replace(recalled, text=Blanks(self._known_secrets()).blank(recalled.text))

    def _known_secrets(self) -> Iterator[str]:
        from agentctl.app.secrets import known_secrets

        return known_secrets(self._resolver, self._adapters.runtime, self._user.id)

    def _show_rejected(self, result: Mapping[str, Any]) -> None:
        """Show an answer that broke its schema: to people, and never on stdout."""
        from agentctl.render.controls import strip_controls

        messages = self._store.messages.history(result["session_id"])
        text = next((each.text for each in messages if each.id == result["message_id"]), "")
        self._streams.complain(strip_controls(text))


def _is_worked_on(run: Run) -> bool:
    return run.status == "running" and not is_gone(run)


def _make_checker(schema: Mapping[str, Any]) -> Callable[[Any], list[str]]:
    from agentctl.formats.json_schema import make_checker

    return make_checker(schema)
