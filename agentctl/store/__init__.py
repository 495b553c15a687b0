"""The SQLite file behind one object: the only package with SQL, one repository per noun."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TYPE_CHECKING

from agentctl.errors import ConfigError
from agentctl.store.connection import Database, open_database

if TYPE_CHECKING:
    from os import PathLike

    from agentctl.store.agents import Agents
    from agentctl.store.approvals import Approvals
    from agentctl.store.audit import Audit
    from agentctl.store.calls import Calls
    from agentctl.store.events import Events
    from agentctl.store.grants import Grants
    from agentctl.store.messages import Messages
    from agentctl.store.models import Models
    from agentctl.store.providers import Providers
    from agentctl.store.revisions import Revisions
    from agentctl.store.run_lists import RunLists
    from agentctl.store.runs import Runs
    from agentctl.store.session_fork import SessionForks
    from agentctl.store.sessions import Sessions
    from agentctl.store.settings import Settings
    from agentctl.store.stops import Stops
    from agentctl.store.tool_results import ToolResults
    from agentctl.store.tools import Tools
    from agentctl.store.usage import UsageRows
    from agentctl.store.users import Users


def _identify(path: str) -> tuple[int, int] | None:
    """Which file is at this path; None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class Store:
    """Opens the file on first use and each repository when it is first asked for (start-up time)."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = os.fspath(path)
        # A command may change to the folder of a run.
        self._place = os.path.abspath(self.path)
        self._opened: tuple[int, int] | None = None

    @cached_property
    def database(self) -> Database:
        """The open connection; creates and migrates the file when that is needed."""
        database = open_database(self.path)
        self._opened = _identify(self._place)
        return database

    def transaction(self, *, durable: bool = False) -> AbstractContextManager[None]:
        """`BEGIN IMMEDIATE` ... `COMMIT`; nested use joins; `durable` waits until the disk has it."""
        return self.database.transaction(durable=durable)

    def require_file(self) -> None:
        """Raise ConfigError where the file that is open here is no longer the one at its path."""
        if _identify(self._place) != self._opened:
            raise ConfigError(
                f"the database {self.path} was moved or removed while it was in use; what came since is lost",
                hint="Put it back, or run it again with another file (--db FILE).",
            )

    def version(self) -> int:
        """Another number whenever another process has written; costs next to nothing."""
        row = self.database.one("PRAGMA data_version")
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Close the connection if it was opened."""
        if "database" in self.__dict__:
            self.database.close()

    @cached_property
    def agents(self) -> Agents:
        """Agents with their tools."""
        from agentctl.store.agents import Agents

        return Agents(self.database)

    @cached_property
    def approvals(self) -> Approvals:
        """Questions that wait for a person."""
        from agentctl.store.approvals import Approvals

        return Approvals(self.database)

    @cached_property
    def audit(self) -> Audit:
        """What was decided about tool calls, by whom."""
        from agentctl.store.audit import Audit

        return Audit(self.database)

    @cached_property
    def calls(self) -> Calls:
        """Tool calls and their states."""
        from agentctl.store.calls import Calls

        return Calls(self.database)

    @cached_property
    def events(self) -> Events:
        """The event stream of runs."""
        from agentctl.store.events import Events

        return Events(self.database)

    @cached_property
    def grants(self) -> Grants:
        """Standing permissions."""
        from agentctl.store.grants import Grants

        return Grants(self.database)

    @cached_property
    def messages(self) -> Messages:
        """Messages of sessions."""
        from agentctl.store.messages import Messages

        return Messages(self.database)

    @cached_property
    def models(self) -> Models:
        """Declared models."""
        from agentctl.store.models import Models

        return Models(self.database)

    @cached_property
    def providers(self) -> Providers:
        """Declared providers."""
        from agentctl.store.providers import Providers

        return Providers(self.database)

    @cached_property
    def revisions(self) -> Revisions:
        """Applies that changed something."""
        from agentctl.store.revisions import Revisions

        return Revisions(self.database)

    @cached_property
    def run_lists(self) -> RunLists:
        """Runs as they are listed."""
        from agentctl.store.run_lists import RunLists

        return RunLists(self.database)

    @cached_property
    def runs(self) -> Runs:
        """Runs and who works on them."""
        from agentctl.store.runs import Runs

        return Runs(self.database)

    @cached_property
    def forks(self) -> SessionForks:
        """Copies of sessions."""
        from agentctl.store.session_fork import SessionForks

        return SessionForks(self.database)

    @cached_property
    def sessions(self) -> Sessions:
        """Sessions of a user."""
        from agentctl.store.sessions import Sessions

        return Sessions(self.database)

    @cached_property
    def settings(self) -> Settings:
        """Named values of the whole database."""
        from agentctl.store.settings import Settings

        return Settings(self.database)

    @cached_property
    def stops(self) -> Stops:
        """Requests to stop a run."""
        from agentctl.store.stops import Stops

        return Stops(self.database)

    @cached_property
    def tool_results(self) -> ToolResults:
        """Results of tools that are kept for a while."""
        from agentctl.store.tool_results import ToolResults

        return ToolResults(self.database)

    @cached_property
    def tools(self) -> Tools:
        """Declared tools."""
        from agentctl.store.tools import Tools

        return Tools(self.database)

    @cached_property
    def usage(self) -> UsageRows:
        """What requests used and cost."""
        from agentctl.store.usage import UsageRows

        return UsageRows(self.database)

    @cached_property
    def users(self) -> Users:
        """Users, by name."""
        from agentctl.store.users import Users

        return Users(self.database)
