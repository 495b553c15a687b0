"""A run is killed at any moment and gone on with: every side effect happens once, or a person is asked."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.run import Run
from agentctl.errors import NotFound
from agentctl.store import Store
from tests.conftest import Outcome

Start = Callable[..., subprocess.Popen[bytes]]
LINES = [f"line-{number}" for number in range(10)]
KILLS = 100
TOOLS = """
tools:
  - slug: note
    type: command
    needs_approval: false
    config:
      argv: [sh, -c, 'sleep 0.02; echo "$0" >> notes.txt; sleep 0.02', '{text}']
      arguments: {text: {type: string, description: A line.}}
agents:
  - {slug: writer, tools: [note], title_strategy: none, max_step_count: 20}
"""


def calls(*texts: str) -> dict[str, Any]:
    return {"text": "noting", "tool_calls": [{"name": "note", "arguments": {"text": text}} for text in texts]}


@pytest.fixture
def model(run: Callable[..., Outcome], script: Callable[..., str], tmp_path: Path) -> str:
    """Ten calls in four steps, then an answer."""
    (tmp_path / "agents.yaml").write_text(TOOLS)
    run("apply --yes")
    steps = (calls(*LINES[:1]), calls(*LINES[1:4]), calls(*LINES[4:6]), calls(*LINES[6:]))
    return script(*steps, {"text": "all noted", "chunk_delay": 0.02})


class Writer:
    """One user with a folder of their own, whose runs are killed; `asked` counts lost calls."""

    def __init__(self, start: Start, database: Path, folder: Path, model: str) -> None:
        self._start = start
        self._store = Store(database)
        self._folder = folder
        self._model = model
        self._chance = random.Random(folder.name)
        self.kills = self.asked = 0

    def work(self) -> None:
        """Finish runs until there were enough kills."""
        self._folder.mkdir()
        self._user = self._store.users.ensure(self._folder.name).id
        while self.kills < KILLS // 2:
            self._finish_one()
        self._store.close()

    def _finish_one(self) -> None:
        (self._folder / "notes.txt").unlink(missing_ok=True)
        before, line = self._last(), f"chat writer 'note ten lines' -m {self._model}"
        while True:
            self._run(line)
            run = self._last()
            if run is None or (before and run.id == before.id):
                continue
            if run.status == "done":
                break
            line = "resume @last"
            if run.status == "awaiting_approval":
                self._answer(run)
        assert sorted(self._noted()) == LINES
        assert [call.status for call in self._store.calls.of_run(run.id)] == ["done"] * 10
        assert self._store.messages.history(run.session_id)[-1].text == "all noted"

    def _run(self, line: str) -> None:
        """Run a command and kill it soon, unless it is done or waits for a person before."""
        process = self._start(line, cwd=self._folder, env={"AGENTCTL_USER": self._folder.name})
        # Some die while they start; most once they hold the run, or the test would be about starting.
        if self._chance.random() < 0.9:
            self._wait_for_lease(process)
        try:
            _, errors = process.communicate(timeout=self._chance.uniform(0, 0.7))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.kills += 1
        else:
            assert process.returncode in (0, 4), errors

    def _wait_for_lease(self, process: subprocess.Popen[bytes]) -> None:
        while process.poll() is None:
            run = self._last()
            if run and run.holder and run.holder.pid == process.pid:
                return
            time.sleep(0.005)

    def _answer(self, run: Run) -> None:
        """What a person does who looks into the file."""
        time.sleep(0.2)  # what a killed run had started ends by itself
        with self._store.transaction():
            for approval in self._store.approvals.of_run(run.id):
                if approval.status == "pending":
                    assert approval.kind == "unknown"
                    ran = approval.arguments["text"] in self._noted()
                    self._store.approvals.decide(approval, "ran" if ran else "not_run", {"user": "x"})
                    self.asked += 1

    def _noted(self) -> list[str]:
        path = self._folder / "notes.txt"
        return path.read_text().split() if path.exists() else []

    def _last(self) -> Run | None:
        try:
            return self._store.runs.find(self._user, "@last")
        except NotFound:
            return None


@pytest.mark.slow
def test_runs_that_are_killed_a_hundred_times_do_everything_once(
    start: Start, model: str, environ: dict[str, str], tmp_path: Path
) -> None:
    database = Path(environ["AGENTCTL_HOME"]) / "agentctl.db"
    seed = os.urandom(3).hex()
    writers = [Writer(start, database, tmp_path / f"{seed}-{number}", model) for number in range(2)]
    with ThreadPoolExecutor(len(writers)) as pool:
        for done in [pool.submit(writer.work) for writer in writers]:
            done.result()
    assert sum(writer.asked for writer in writers), f"no kill hit a running call: {seed}"
