"""Tells a program of the user's choice about each call that began to wait for a person."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence

from agentctl.app.approval_views import approval_row
from agentctl.domain.approval import NOTIFY_SETTING, Approval
from agentctl.domain.user import User
from agentctl.errors import AgentctlError
from agentctl.store import Store
from agentctl.tools.command.environment import build_environment
from agentctl.tools.command.family import Family

SECONDS = 10.0


class Notifier:
    """Starts `notify` of the YAML files, one process a call. `warn` gets a line where something fails."""

    def __init__(
        self,
        store: Store,
        user: User,
        find_variable: Callable[[str], str | None],
        warn: Callable[[str], None],
        *,
        seconds: float = SECONDS,
    ) -> None:
        self._store = store
        self._user = user
        self._find_variable = find_variable
        self._warn = warn
        self._seconds = seconds

    def announce(self, run_id: str) -> None:
        """Tell of what waits in a run and of which nobody was told yet; never fails, takes 10 s at most.

        To be called after what waits was committed.
        """
        try:
            setting = self._store.settings.get(NOTIFY_SETTING)
            words = json.loads(setting) if setting else []
            if words:
                with self._store.transaction():
                    approvals = self._store.approvals.take_unannounced(run_id)
                self._tell(words, approvals)
        except (AgentctlError, OSError) as error:
            self._warn(f"warning: notify: {error}")

    def _tell(self, words: Sequence[str], approvals: Sequence[Approval]) -> None:
        mark = os.urandom(12).hex()
        environment = build_environment((), self._find_variable, mark)
        started: list[subprocess.Popen[bytes]] = []
        deadline = time.monotonic() + self._seconds
        try:
            for approval in approvals:
                process = self._start(words, environment, approval)
                if process is None:
                    return
                started.append(process)
            for process in started:
                self._wait(process, words[0], deadline)
        finally:
            for process in started:
                if process.returncode is None:
                    Family(process.pid, mark.encode()).send(signal.SIGKILL)
                    process.wait()

    def _start(
        self, words: Sequence[str], environment: Mapping[str, str], approval: Approval
    ) -> subprocess.Popen[bytes] | None:
        row = {**approval_row(approval), "user": self._user.name}
        # A file, so that a program that reads nothing holds up nobody.
        with tempfile.TemporaryFile() as stdin:
            stdin.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            stdin.seek(0)
            try:
                return subprocess.Popen(
                    words,
                    stdin=stdin,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                    env=environment,
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or error
                self._warn(f"warning: notify: {words[0]} cannot be run: {why}")
                return None

    def _wait(self, process: subprocess.Popen[bytes], program: str, deadline: float) -> None:
        try:
            code = process.wait(max(deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            self._warn(f"warning: notify: {program} took longer than {self._seconds:g} s and was ended")
            return
        if code:
            self._warn(f"warning: notify: {program} ended with {code}")
