"""Wires everything: one object that builds each part when it is first asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from agentctl import __version__
from agentctl.config import Config
from agentctl.errors import AgentctlError, UsageError
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.app.adapters import Adapters
    from agentctl.app.approval_edit import ApprovalEdit
    from agentctl.app.approvals import Approvals
    from agentctl.app.conversations import Conversations
    from agentctl.app.detached import Left
    from agentctl.app.docs import Docs
    from agentctl.app.docs_titles import DocsTitles
    from agentctl.app.documents import Documents
    from agentctl.app.embedded import Embedded
    from agentctl.app.grants import Grants
    from agentctl.app.keys import Keys
    from agentctl.app.log import Log
    from agentctl.app.model_edits import ModelEdits
    from agentctl.app.model_test import ModelTest
    from agentctl.app.models import Models
    from agentctl.app.person import Person
    from agentctl.app.policy import PolicyExplained
    from agentctl.app.provider_edits import ProviderEdits
    from agentctl.app.providers import Providers
    from agentctl.app.runs import RunViews
    from agentctl.app.screen import Screen
    from agentctl.app.titles import SessionTitles
    from agentctl.app.tool_edits import ToolEdits
    from agentctl.app.tool_run import ToolRun
    from agentctl.app.tool_views import ToolViews
    from agentctl.app.tools import Tools
    from agentctl.app.watching import Watching
    from agentctl.chat.driver import Audience
    from agentctl.domain.finding import Finding
    from agentctl.domain.user import User
    from agentctl.models.resolver import Resolver
    from agentctl.render.output import Output
    from agentctl.render.streams import Streams
    from agentctl.sync.control import ControlPlane


class App:
    """What every command gets. Imports stay inside, so that a command pays only for what it uses."""

    def __init__(self, config: Config) -> None:
        self.config = config

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
    def adapters(self) -> Adapters:
        """The adapters of providers."""
        from agentctl.app.adapters import Adapters

        return Adapters(self.config, self.log)

    @cached_property
    def log(self) -> Log | None:
        """Where it is written down what happens; None where nobody asked. Raises ConfigError."""
        if self.config.log_file is None:
            return None
        from agentctl.app.log import Log

        return Log(self.config.log_file)

    @cached_property
    def screen(self) -> Screen:
        """Shows what is no plain list."""
        from agentctl.app.screen import Screen

        return Screen(self.streams, color=self.config.color)

    @cached_property
    def person(self) -> Person:
        """Whoever can be asked."""
        from agentctl.app.person import Person

        return Person(self.config, self.streams)

    @cached_property
    def docs(self) -> Docs:
        """Documents."""
        from agentctl.app.docs import Docs

        return Docs(self.store, self.user, self.config, self.streams, self.person, self._docs_titles)

    def _docs_titles(self) -> DocsTitles:
        from agentctl.app.docs_titles import DocsTitles

        self.provide_defaults()
        return DocsTitles(self.store, self.resolver, self.adapters.load, self.user, self.adapters.close)

    @cached_property
    def tools(self) -> Tools:
        """Tools made ready."""
        from agentctl.app.tools import Tools

        return Tools(self.store, self.config, self._find_secrets)

    def _find_secrets(self) -> Iterator[str]:
        from agentctl.app.secrets import known_secrets

        return known_secrets(self.resolver, self.adapters.runtime, self.user.id)

    @cached_property
    def tool_views(self) -> ToolViews:
        """Tools and tool types as they are shown."""
        from agentctl.app.tool_views import ToolViews

        return ToolViews(self.store, self.tools.services)

    @cached_property
    def tool_edits(self) -> ToolEdits:
        """Makes, changes and removes tools."""
        from agentctl.app.tool_edits import ToolEdits

        return ToolEdits(self.store)

    @cached_property
    def tool_run(self) -> ToolRun:
        """Runs tools by hand."""
        from agentctl.app.tool_run import ToolRun

        return ToolRun(self.store, self.tools, self.person, self.user.id)

    @cached_property
    def policy(self) -> PolicyExplained:
        """What decides on tool calls."""
        from agentctl.app.policy import PolicyExplained

        return PolicyExplained(self.store, self.tools, self.user, self.config.cwd)

    @cached_property
    def documents(self) -> Documents:
        """What agents remember and deliver."""
        from agentctl.app.documents import Documents

        return Documents(self.store)

    @cached_property
    def embedded(self) -> Embedded:
        """The embedded models."""
        from agentctl.app.embedded import Embedded

        return Embedded(self.adapters.runtime, self.streams)

    @cached_property
    def models(self) -> Models:
        """Models as this user sees them."""
        from agentctl.app.models import Models

        return Models(self.store, self.resolver, self.embedded, self.adapters.runtime, self.user)

    def model_edits(self, *, private: bool) -> ModelEdits:
        """Makes, changes and removes models: this user's private ones, or everybody's."""
        from agentctl.app.model_edits import ModelEdits

        return ModelEdits(self.store, self.user, private=private)

    @cached_property
    def model_test(self) -> ModelTest:
        """Tests models."""
        from agentctl.app.model_test import ModelTest

        return ModelTest(self.store, self.user, self.adapters.load, self.adapters.close)

    def examine(self) -> Iterator[Finding]:
        """Look at everything that is needed; each finding as soon as it is known."""
        from agentctl.app.doctor import examine

        return examine(self)

    @cached_property
    def keys(self) -> Keys:
        """Keeps keys in a file."""
        from agentctl.app.keys import Keys

        return Keys(
            self.resolver, self.user.id, self.adapters.runtime, self.streams, self.person.find_terminal
        )

    @cached_property
    def providers(self) -> Providers:
        """Where requests can go, for this user."""
        from agentctl.app.providers import Providers

        return Providers(self.resolver, self.user.id, self.adapters.runtime)

    @cached_property
    def provider_edits(self) -> ProviderEdits:
        """Makes, changes and removes providers."""
        from agentctl.app.provider_edits import ProviderEdits

        return ProviderEdits(self.store, self.user.id, self.adapters.runtime)

    @cached_property
    def titles(self) -> SessionTitles:
        """Names sessions anew."""
        from agentctl.app.titles import SessionTitles

        return SessionTitles(self.store, self.resolver, self.adapters.load, self.user, self.adapters.close)

    @cached_property
    def conversations(self) -> Conversations:
        """Runs turns."""
        from agentctl.app.conversations import Conversations
        from agentctl.chat.watching import watch

        return Conversations(
            self.store,
            self.resolver,
            self.adapters,
            self.tools,
            self.person,
            self.streams,
            self.log,
            attempts=self.config.attempts,
            user=self.user,
            attach=partial(watch, self.store),
            announce=self._announce,
        )

    def _announce(self, run_id: str) -> None:
        from agentctl.app.notify import Notifier
        from agentctl.app.variables import Variables

        find_variable = Variables(self.store, self.config).find
        Notifier(self.store, self.user, find_variable, self.streams.note).announce(run_id)

    @cached_property
    def runs(self) -> RunViews:
        """Shows runs."""
        from agentctl.app.runs import RunViews

        return RunViews(self.store, self.user)

    @cached_property
    def watching(self) -> Watching:
        """Watches and ends runs."""
        from agentctl.app.watching import Watching

        return Watching(self.store, self.user, self.streams)

    @cached_property
    def approvals(self) -> Approvals:
        """Calls that wait for this user."""
        from agentctl.app.approvals import Approvals

        return Approvals(self.store, self.user, lambda: self.tools.services.find_blanks())

    @cached_property
    def approval_edit(self) -> ApprovalEdit:
        """Changes calls that wait, in an editor."""
        from agentctl.app.approval_edit import ApprovalEdit

        return ApprovalEdit(self.store, self.tools.toolbox, self.person.find_terminal, self.config.editor)

    @cached_property
    def grants(self) -> Grants:
        """What this user allowed ahead of time."""
        from agentctl.app.grants import Grants

        return Grants(self.store, self.user, lambda: self.tools.services)

    def resume(self, given: str, audience: Audience, **tightened: Any) -> Mapping[str, Any]:
        """Go on with the run that `given` means, in its folder; returns its result object."""
        run = self.store.runs.find(self.user.id, given)
        try:
            os.chdir(run.cwd)
        except OSError as error:
            raise UsageError(
                f"cannot enter {run.cwd}, the folder of run {run.id}: {error.strerror}",
                hint="It goes on only where it began.",
            ) from None
        self.config = self.config._replace(cwd=run.cwd)
        return self.conversations.resume(run, audience, **tightened)

    def leave(self) -> Left | int:
        """Leave the rest of the command to a process of its own (`app/detached.py`)."""
        from agentctl.app.detached import leave

        return leave()

    def heard(self, audience: Callable[[], Audience], pipe: int | None) -> Audience:
        """`audience()`; in a process that was left behind instead one that announces its run on `pipe`."""
        if pipe is None:
            return audience()
        from agentctl.app.detached import Detached

        return Detached(pipe)

    def read_schema(self, given: str) -> Mapping[str, Any]:
        """The JSON Schema in a file, in JSON or in the short notation; raises UsageError for none."""
        from agentctl.formats.schema_words import read_schema

        return read_schema(given, self.config.cwd)

    def provide_defaults(self) -> None:
        """Apply the packaged agents and tools to a database without agents."""
        if self.store.revisions.current() and self.store.agents.exist():
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
