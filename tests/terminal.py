"""A person at a terminal: a real process with a pseudo-terminal of its own, read and typed into."""

from __future__ import annotations

import os
import pty
import select
import shlex
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

SECONDS = 30.0


class Terminal:
    """Runs `agentctl LINE` with stdin, stdout and stderr on one pseudo-terminal."""

    def __init__(
        self,
        line: str,
        *,
        cwd: Path,
        environ: Mapping[str, str],
        stdin: str | None = None,
        stdout: str | None = None,
    ) -> None:
        pid, self.master = pty.fork()
        if pid == 0:
            os.chdir(cwd)
            if stdin is not None:
                os.dup2(os.open(stdin, os.O_RDONLY), 0)
            if stdout is not None:
                os.dup2(os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
            arguments = [sys.executable, "-m", "agentctl", *shlex.split(line)]
            root = str(Path(__file__).parent.parent)
            os.execve(sys.executable, arguments, {**environ, "PYTHONPATH": root})
        self.pid = pid
        self.seen = ""

    def wait_for(self, text: str, *, count: int = 1) -> str:
        """Read until `text` has come `count` times; returns everything so far."""
        deadline = time.monotonic() + SECONDS
        while self.seen.count(text) < count:
            assert time.monotonic() < deadline, self.seen
            if not self._read(0.1):
                assert self.seen.count(text) >= count, self.seen
        return self.seen

    def type(self, text: str) -> None:
        """Type, as keys would."""
        os.write(self.master, text.encode())

    def interrupt(self) -> None:
        """Ctrl-C."""
        self.type("\x03")

    def end(self) -> int:
        """Read the rest and return the exit code."""
        deadline = time.monotonic() + SECONDS
        while self._read(0.1):
            assert time.monotonic() < deadline, self.seen
        _, status = os.waitpid(self.pid, 0)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        """End the process, whatever it does."""
        os.kill(self.pid, signal.SIGKILL)

    def _read(self, seconds: float) -> bool:
        """Read what is there; False when the other side has closed."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self.master, 65536)
        except OSError:
            return False
        self.seen += piece.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(piece)
