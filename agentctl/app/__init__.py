"""Wires everything: one object that builds each part when it is first asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agentctl import __version__
from agentctl.config import Config
from agentctl.domain.deadline import Deadline
from agentctl.errors import AgentctlError, SchemaBroken, UsageError
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.app.embedded import Embedded
    from agentctl.app.keys import Keys
    from agentctl.app.log import Log
    from agentctl.app.model_edits import ModelEdits
    from agentctl.app.model_test import ModelTest
    from agentctl.app.models import Models
    from agentctl.app.provider_edits import ProviderEdits
    from agentctl.app.providers import Providers
    from agentctl.app.titles import SessionTitles
    from agentctl.chat.driver import Audience
    from agentctl.chat.engine import Engine
    from agentctl.chat.tape import Tape
    from agentctl.chat.toolbox import Toolbox
    from agentctl.domain.agent import Agent
    from agentctl.domain.approval import Ask
    from agentctl.domain.chat import ChatRequest
    from agentctl.domain.finding import Finding
    from agentctl.domain.message import Message
    from agentctl.domain.model import Provider
    from agentctl.domain.plan import Plan
    from agentctl.domain.tool import Tool
    from agentctl.domain.user import User
    from agentctl.models.resolver import Resolver
    from agentctl.net.client import HttpClient
    from agentctl.providers.base import Adapter, Runtime
    from agentctl.render.conversation import Renderer
    from agentctl.render.output import Output
    from agentctl.render.streams import Streams
    from agentctl.sync.control import ControlPlane
    from agentctl.tools.base import Services


class App:
    """What every command gets. Imports stay inside, so that a command pays only for what it uses."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._adapters: dict[str, Adapter] = {}
        self._deadline = Deadline()

    @cached_property
    def store(self) -> Store:
        """The database."""
        return Store(self.config.db)

    @cached_property
    def streams(self) -> Streams:
        """stdin, stdout and stderr."""
        from agentctl.render.streams import standard_streams

        return standard_streams(quiet=self.config.quiet)

    def output(self, format: str | None = None) -> Output:  # noqa: A002
        """Where lists and single things are shown."""
        from agentctl.render.output import Output

        return Output(self.streams, format=format, color=self.config.color)

    @cached_property
    def user(self) -> User:
        """The user this command acts for."""
        return self.store.users.ensure(self.config.user)

    @cached_property
    def resolver(self) -> Resolver:
        """Finds models."""
        from agentctl.models.resolver import Resolver
        from agentctl.providers import BUILT_IN, EMBEDDED_MODEL

        return Resolver(self.store, BUILT_IN, EMBEDDED_MODEL, self.config.model)

    @cached_property
    def runtime(self) -> Runtime:
        """What provider adapters get from outside."""
        from pathlib import Path

        from agentctl.providers.base import Runtime

        return Runtime(
            find_env=self.config.find_env,
            keys_file=Path(self.config.home, "keys.json"),
            cache_dir=Path(self.config.cache_dir),
            run_dir=Path(self.config.run_dir),
            connect_timeout=self.config.connect_timeout,
            stream_timeout=self.config.stream_timeout,
            local_idle=self.config.local_idle,
            time_left=self._deadline.left,
            make_client=self._make_client,
        )

    @cached_property
    def log(self) -> Log | None:
        """Where it is written down what happens; None where nobody asked. Raises ConfigError."""
        if self.config.log_file is None:
            return None
        from agentctl.app.log import Log

        return Log(self.config.log_file)

    def _make_client(self, url: str, **limits: Any) -> HttpClient:
        if self.log is None:
            from agentctl.net.client import HttpClient

            return HttpClient(url, **limits)
        from agentctl.net.observed import ObservedClient

        return ObservedClient(url, observe=self.log.request, **limits)

    def adapter(self, provider: Provider) -> Adapter:
        """The adapter of a provider; one for each in a process."""
        if provider.slug not in self._adapters:
            from agentctl.providers import load_adapter

            self._adapters[provider.slug] = load_adapter(provider.kind)(provider, self.runtime)
        return self._adapters[provider.slug]

    def require_agent(self, slug: str) -> None:
        """Raise NotFound where there is no such enabled agent."""
        from agentctl.chat.opening import enabled_agent

        enabled_agent(self.store, slug)

    @property
    def is_interactive(self) -> bool:
        """Whether a person types on stdin."""
        stdin = self.streams.stdin
        return stdin is not None and not stdin.closed and stdin.isatty()

    def renderer(self, format: str, *, final: bool) -> Renderer:  # noqa: A002
        """What shows a run: `text`, `json` or `stream-json`."""
        from agentctl.render.conversation import make_renderer

        return make_renderer(self.streams, format, final=final, color=self.config.color)

    def complain(self, error: AgentctlError) -> None:
        """Show an error that does not end the command."""
        from agentctl.render.error import error_line

        self.streams.complain(error_line(error.message, error.hint))

    @cached_property
    def services(self) -> Services:
        """What tools may ask of the rest of the system."""
        from agentctl.tools.base import Services

        return Services(self.store.users.find, self.config.locale, self.config.time_zone)

    def describe_tool(self, tool: Tool) -> dict[str, Any]:
        """What a model sees of a tool; raises ConfigError where the tool is not ready."""
        from agentctl.tools.ready import make_ready

        ready = make_ready(tool, {}, self.services)
        return {"description": ready.description, "parameters": dict(ready.parameters)}

    @cached_property
    def embedded(self) -> Embedded:
        """The embedded models."""
        from agentctl.app.embedded import Embedded

        return Embedded(self.runtime, self.streams)

    @cached_property
    def models(self) -> Models:
        """Models as this user sees them."""
        from agentctl.app.models import Models

        return Models(self.store, self.resolver, self.embedded, self.runtime, self.user)

    def model_edits(self, *, private: bool) -> ModelEdits:
        """Makes, changes and removes models: this user's private ones, or everybody's."""
        from agentctl.app.model_edits import ModelEdits

        return ModelEdits(self.store, self.user, private=private)

    @cached_property
    def model_test(self) -> ModelTest:
        """Tests models."""
        from agentctl.app.model_test import ModelTest

        return ModelTest(self.store, self.user, self.adapter, self.disconnect)

    def toolbox(self, agent: Agent) -> Toolbox:
        """The tools of an agent, ready to run."""
        from agentctl.chat.toolbox import make_toolbox

        return make_toolbox(self.store, agent, self.services)

    def examine(self) -> Iterator[Finding]:
        """Look at everything that is needed; each finding as soon as it is known."""
        from agentctl.app.doctor import examine

        return examine(self)

    @cached_property
    def keys(self) -> Keys:
        """Keeps keys in a file."""
        from agentctl.app.keys import Keys

        return Keys(self.resolver, self.user.id, self.runtime, self.streams, self._terminal)

    @cached_property
    def providers(self) -> Providers:
        """Where requests can go, for this user."""
        from agentctl.app.providers import Providers

        return Providers(self.resolver, self.user.id, self.runtime)

    @cached_property
    def provider_edits(self) -> ProviderEdits:
        """Makes, changes and removes providers."""
        from agentctl.app.provider_edits import ProviderEdits

        return ProviderEdits(self.store, self.user.id, self.runtime)

    @cached_property
    def titles(self) -> SessionTitles:
        """Names sessions anew."""
        from agentctl.app.titles import SessionTitles

        return SessionTitles(self.store, self.resolver, self.adapter, self.user, self.disconnect)

    def engine(self, ask: Ask | None, tape: Tape | None = None) -> Engine:
        """The engine; `ask` puts tool calls to a person, `tape` stands in for models and tools."""
        from agentctl.chat.engine import Engine

        parts = tape or self
        return Engine(
            self.store,
            parts.resolver,
            parts.adapter,
            parts.toolbox,
            self._make_checker,
            ask,
            self.config.attempts,
            self._deadline,
        )

    def read_schema(self, given: str) -> Mapping[str, Any]:
        """The JSON Schema in a file, in JSON or in the short notation; raises UsageError for none."""
        from agentctl.formats.schema_words import read_schema

        return read_schema(given, self.config.cwd)

    def converse(self, request: ChatRequest, renderer: Renderer) -> Mapping[str, Any]:
        """Run one turn and return its result object."""
        audience: Audience = renderer
        if self.log:
            from agentctl.app.log import Logged

            self.log.learn(self._known_secrets())
            audience = Logged(renderer, self.log)
        result = self._run(request, audience)
        if result["error"] and result["error"]["kind"] == SchemaBroken.kind:
            self._show_rejected(result)
        return result

    def _run(self, request: ChatRequest, audience: Audience) -> Mapping[str, Any]:
        """Run one turn; on a tape where it is recorded or replayed."""
        from agentctl.chat.driver import run_turn

        if request.record is None and request.replay is None:
            return run_turn(self.engine(self._asker()), request, audience, self.disconnect)
        from agentctl.app.recording import open_tape
        from agentctl.chat.tape import TapedEngine

        tape = open_tape(
            request, self.resolver, self.runtime, self.toolbox, self._asker(), self._known_secrets()
        )
        taped = TapedEngine(lambda ask: self.engine(ask, tape), tape)
        result = run_turn(taped, request, audience, tape.close)
        for leftover in tape.list_leftovers():
            self.streams.note(f"warning: {leftover}")
        return result

    def _known_secrets(self) -> Iterator[str]:
        from agentctl.app.secrets import known_secrets

        return known_secrets(self.resolver, self.runtime, self.user.id)

    def _show_rejected(self, result: Mapping[str, Any]) -> None:
        """Show an answer that broke its schema: to people, and never on stdout."""
        from agentctl.render.controls import strip_controls

        messages = self.store.messages.history(result["session_id"])
        text = next((each.text for each in messages if each.id == result["message_id"]), "")
        self.streams.complain(strip_controls(text))

    def provide_defaults(self) -> None:
        """Apply the packaged agents and tools to a database to which nothing was ever applied."""
        if self.store.revisions.current():
            return
        from agentctl.sync.packaged import apply_packaged

        if apply_packaged(self.store):
            self.streams.note("note: applied the built-in agents and tools; agentctl init writes your own")

    @cached_property
    def control(self) -> ControlPlane:
        """Reads, plans, applies and exports YAML."""
        from pathlib import Path

        from agentctl.sync.control import ControlPlane

        return ControlPlane(self.store, Path(self.config.cwd))

    def show_plan(self, plan: Plan, format: str | None = None) -> None:  # noqa: A002
        """Show a plan to people, or its changes as rows in the format that was asked for."""
        from agentctl.render.plan import PLAN_COLUMNS, plan_lines, plan_rows

        output = self.output(format)
        if format is None:
            color = self.config.color and self.streams.stdout_is_terminal
            output.text("\n".join(plan_lines(plan, color=color)))
        else:
            output.rows(plan_rows(plan), PLAN_COLUMNS)

    def show_transcript(self, messages: Sequence[Message]) -> None:
        """Show a conversation to people."""
        from agentctl.render.transcript import transcript

        self.output().text(transcript(messages))

    def confirm(self, question: str) -> bool:
        """Ask a person; raises UsageError naming --yes where nobody can be asked."""
        from agentctl.render.confirm import confirm

        terminal = self._terminal()
        if terminal is None:
            raise UsageError("this needs a yes and nobody can be asked", hint="Say it with --yes.")
        return confirm(terminal, question)

    async def disconnect(self) -> None:
        """Close the connections of all adapters."""
        for adapter in self._adapters.values():
            await adapter.close()

    def start(self, command: str) -> None:
        """A command begins; `command` are its words without arguments, which may be anything."""
        if self.log:
            self.log.write("start", command=command, version=__version__, user=self.config.user)

    def close(self, code: int, error: AgentctlError | None) -> None:
        """A command ends: write that down and close the database."""
        # Not there where opening it is what failed.
        log: Log | None = self.__dict__.get("log")
        if log:
            failure = None if error is None else {"kind": error.kind, "message": error.message}
            log.write("end", exit_code=code, error=failure)
        if "store" in self.__dict__:
            self.store.close()

    def _make_checker(self, schema: Mapping[str, Any]) -> Callable[[Any], list[str]]:
        from agentctl.formats.json_schema import make_checker

        return make_checker(schema)

    def _asker(self) -> Ask | None:
        """Asks questions about tool calls; None where nobody can be asked."""
        terminal = self._terminal()
        if terminal is None:
            return None
        os.close(terminal)
        from agentctl.render.question import Asker

        return Asker(self._terminal, self.config.editor).ask

    def _terminal(self) -> int | None:
        from agentctl.render.terminal import terminal_that_can_ask

        return terminal_that_can_ask(
            stderr_is_terminal=self.streams.stderr_is_terminal,
            no_input=self.config.no_input,
            ci=self.config.ci,
        )


def report_error(error: AgentctlError, *, result_format: str | None) -> None:
    """Show the error that ended a command: a line on stderr, and the result object if one is wanted.

    Imports little: a signal may have come in the middle of another import.
    """
    from agentctl.render.error import error_line
    from agentctl.render.streams import standard_streams

    streams = standard_streams()
    streams.complain(error_line(error.message, error.hint, getattr(error, "problems", ())))
    if result_format is None:
        return
    import json

    from agentctl.domain.ids import now_ms, rfc3339
    from agentctl.domain.outcome import OUTCOME_OF_KIND, RunResult, describe

    outcome = OUTCOME_OF_KIND.get(error.kind, "failed")
    result = RunResult(outcome, error.code, error=describe(error.kind, error.message, error.hint))
    numbered = {"seq": 1, "ts": rfc3339(now_ms())} if result_format == "stream-json" else {}
    streams.write(json.dumps({**result.as_dict(), **numbered}, ensure_ascii=False) + "\n")


def abandon_stdout() -> None:
    """Make the interpreter's last flush harmless after stdout's reader went away."""
    from agentctl.render.streams import abandon_stdout as abandon

    abandon()
