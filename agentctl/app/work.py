"""What agents do: conversations, runs, calls that wait for a person, documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from agentctl.app.configuration import Configuration
from agentctl.errors import UsageError

if TYPE_CHECKING:
    from agentctl.app.approval_edit import ApprovalEdit
    from agentctl.app.approvals import Approvals
    from agentctl.app.conversations import Conversations
    from agentctl.app.detached import Left
    from agentctl.app.docs import Docs
    from agentctl.app.docs_titles import DocsTitles
    from agentctl.app.documents import Documents
    from agentctl.app.grants import Grants
    from agentctl.app.runs import RunViews
    from agentctl.app.titles import SessionTitles
    from agentctl.app.watching import Watching
    from agentctl.chat.driver import Audience


class Work(Configuration):
    """Does it, shows it, goes on with it."""

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

    def resume(
        self,
        given: str,
        format: str,  # noqa: A002
        *,
        final: bool,
        **tightened: Any,
    ) -> Mapping[str, Any]:
        """Go on with the run that `given` means, in its folder, and show it; returns its result object."""
        run = self.store.runs.find(self.user.id, given)
        try:
            os.chdir(run.cwd)
        except OSError as error:
            raise UsageError(
                f"cannot enter {run.cwd}, the folder of run {run.id}: {error.strerror}",
                hint="It goes on only where it began.",
            ) from None
        self.config = self.config._replace(cwd=run.cwd)
        # An answer of a given form is printed alone: what was said on the way to it has another.
        audience = self.screen.renderer(format, final=final or run.settings["schema"] is not None)
        return self.conversations.resume(run, audience, **tightened)

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

    @cached_property
    def titles(self) -> SessionTitles:
        """Names sessions anew."""
        from agentctl.app.titles import SessionTitles

        return SessionTitles(self.store, self.resolver, self.adapters.load, self.user, self.adapters.close)

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
    def documents(self) -> Documents:
        """What agents remember and deliver."""
        from agentctl.app.documents import Documents

        return Documents(self.store)
