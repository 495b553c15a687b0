"""The log file: what a command did, one JSON object a line, without secrets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from agentctl.domain.blanks import Blanks
from agentctl.domain.event import Event
from agentctl.domain.ids import now_ms, rfc3339
from agentctl.errors import ConfigError

if TYPE_CHECKING:
    from agentctl.chat.driver import Audience


class Log:
    """Appends to one file, made 0600; a disk that is full later on is no reason for a run to fail.

    Raises ConfigError where the file cannot be opened.
    """

    def __init__(self, path: str) -> None:
        try:
            self._file = os.open(path, os.O_APPEND | os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "its name cannot be used"
            raise ConfigError(
                f"cannot write the log file {path}: {reason}", hint="Choose another with --log-file."
            ) from None
        self._blanks = Blanks()

    def learn(self, secrets: Iterable[str]) -> None:
        """Blank these from now on."""
        self._blanks.learn(secrets)

    def write(self, event: str, **data: Any) -> None:
        """Add one line, in one write, so that several processes may share the file."""
        line = {"ts": rfc3339(now_ms()), "pid": os.getpid(), "event": event, **self._blanks.blank(data)}
        with suppress(OSError):
            os.write(self._file, (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace"))

    def request(self, url: str, status: int | None, failure: str | None, duration_ms: int) -> None:
        """One request to a provider is over."""
        self.write("request", url=url, status=status, failure=failure, duration_ms=duration_ms)


class Logged:
    """Shows events to somebody and writes them down; the pieces of an answer stand in its message."""

    def __init__(self, audience: Audience, log: Log) -> None:
        self._audience = audience
        self._log = log

    def show(self, event: Event) -> None:
        """Take one event."""
        if not event.type.endswith(".delta"):
            self._log.write(event.type, seq=event.seq, **dict(event.data))
        self._audience.show(event)

    async def drain(self) -> None:
        """Pass on what was taken."""
        await self._audience.drain()
