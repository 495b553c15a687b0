"""The three standard streams as one value, and what can be said of them."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from agentctl.domain.value import value
from agentctl.errors import OutputClosed


@value
class Streams:
    """stdin, stdout and stderr of one command; stdout is the answer and nothing else."""

    stdin: TextIO | None
    stdout: TextIO
    stderr: TextIO
    quiet: bool = False

    @property
    def stdin_is_terminal(self) -> bool:
        """Whether a person types on stdin."""
        return self.stdin is not None and not self.stdin.closed and self.stdin.isatty()

    @property
    def stdout_is_terminal(self) -> bool:
        """Whether people read stdout directly."""
        return self.stdout.isatty()

    @property
    def stderr_is_terminal(self) -> bool:
        """Whether people read stderr directly."""
        return self.stderr.isatty()

    def write(self, text: str) -> None:
        """Write to stdout and pass it on at once; raises OutputClosed where nobody reads it any more."""
        try:
            self.stdout.write(text)
            self.stdout.flush()
        except (OSError, ValueError) as error:
            raise closed_stdout(error) from None

    def note(self, text: str) -> None:
        """One line on stderr, unless --quiet; a closed stderr is no reason to fail."""
        if not self.quiet:
            self.complain(text)

    def draw(self, text: str) -> None:
        """Text on stderr without a newline, for what is drawn over; a closed stderr is no reason to fail."""
        try:
            self.stderr.write(text)
            self.stderr.flush()
        except (OSError, ValueError):
            return

    def complain(self, text: str) -> None:
        """One line on stderr, also with --quiet."""
        self.draw(f"{text}\n")


def closed_stdout(error: Exception) -> OutputClosed:
    """What a failed write to stdout means: its reader left, or it takes no more (a full disk)."""
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        return OutputClosed(f"cannot write to stdout: {error.strerror}")
    return OutputClosed()


def standard_streams(*, quiet: bool = False) -> Streams:
    """The process's own streams as they are now; text that cannot be encoded is replaced, never fatal."""
    stdout = sys.stdout if sys.stdout is not None else _nowhere()
    stderr = sys.stderr if sys.stderr is not None else _nowhere()
    for stream in (stdout, stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    return Streams(sys.stdin, stdout, stderr, quiet)


def abandon_stdout() -> None:
    """After its reader went away: make the interpreter's last flush harmless."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError:
        return


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")
