"""The person at the terminal, where there is one who can be asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agentctl.config import Config
from agentctl.errors import UsageError
from agentctl.render.streams import Streams

if TYPE_CHECKING:
    from agentctl.domain.question import Ask


class Person:
    """Asks questions where stdin and stdout may be anything."""

    def __init__(self, config: Config, streams: Streams) -> None:
        self._config = config
        self._streams = streams

    def find_terminal(self) -> int | None:
        """A terminal to write to and read from, which the caller closes; None where nobody can be asked."""
        from agentctl.render.terminal import terminal_that_can_ask

        return terminal_that_can_ask(
            stderr_is_terminal=self._streams.stderr_is_terminal,
            no_input=self._config.no_input,
            ci=self._config.ci,
        )

    def confirm(self, question: str) -> bool:
        """Ask for a yes; raises UsageError naming --yes where nobody can be asked."""
        from agentctl.render.confirm import confirm

        terminal = self.find_terminal()
        if terminal is None:
            raise UsageError("this needs a yes and nobody can be asked", hint="Say it with --yes.")
        return confirm(terminal, question)

    def find_asker(self) -> Ask | None:
        """What puts tool calls to the person; None where nobody can be asked."""
        terminal = self.find_terminal()
        if terminal is None:
            return None
        os.close(terminal)
        from agentctl.render.question import Asker

        return Asker(self.find_terminal, self._config.editor).ask
