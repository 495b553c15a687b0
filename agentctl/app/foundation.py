"""What every part of the App stands on: database, streams, the user, models and their providers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from agentctl import __version__
from agentctl.config import Config
from agentctl.errors import AgentctlError
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.app.adapters import Adapters
    from agentctl.app.log import Log
    from agentctl.app.person import Person
    from agentctl.app.screen import Screen
    from agentctl.domain.user import User
    from agentctl.models.resolver import Resolver
    from agentctl.render.output import Output
    from agentctl.render.streams import Streams


class Foundation:
    """Each part is built when it is first asked for, and imported then: a command pays for what it uses."""

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
