"""Fixtures for every test: a home of its own, commands in this process, commands in real processes."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentctl.cli.boundary import run as run_command_line
from agentctl.store import Store

KEPT = ("PATH", "LANG", "HOME", "SYSTEMROOT", "TMPDIR", "SSL_CERT_FILE")


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str

    def json(self) -> Any:
        """stdout as one JSON document."""
        return json.loads(self.stdout)


def make_environ(folder: Path) -> dict[str, str]:
    """An environment without keys, in which everything of agentctl lies below `folder`."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {
        **kept,
        "AGENTCTL_HOME": str(folder / "home"),
        "AGENTCTL_CACHE": str(folder / "cache"),
        "AGENTCTL_USER": "tester",
        "XDG_RUNTIME_DIR": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TERM": "dumb",
        "TZ": "UTC",
    }


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The environment of one test, below its `tmp_path`."""
    return make_environ(tmp_path)


@pytest.fixture
def run(environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Run a command line in this process: `run("sessions list -o json", code=0)`; None takes any code."""
    monkeypatch.chdir(tmp_path)

    def call(line: str, *, code: int | None = 0, env: Mapping[str, str] | None = None) -> Outcome:
        runner = CliRunner()
        cleared = dict.fromkeys(set(os.environ) - set(environ))
        with runner.isolation(env={**cleared, **environ, **(env or {})}) as (out, err, _):
            exit_code = run_command_line(shlex.split(line))
            sys.stdout.flush()
            sys.stderr.flush()
            outcome = Outcome(exit_code, out.getvalue().decode(), err.getvalue().decode())
        assert code in (None, outcome.code), (
            f"{line}: exit {outcome.code}\n{outcome.stdout}\n{outcome.stderr}"
        )
        return outcome

    return call


@pytest.fixture
def start(environ: dict[str, str], tmp_path: Path) -> Callable[..., subprocess.Popen[bytes]]:
    """Start a command line as a real process with pipes; the caller waits for it."""

    def call(line: str, *, env: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "agentctl", *shlex.split(line)],
            cwd=options.pop("cwd", tmp_path),
            env={**environ, "PYTHONPATH": str(Path(__file__).parent.parent), **(env or {})},
            stdin=options.pop("stdin", subprocess.DEVNULL),
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=options.pop("stderr", subprocess.PIPE),
            **options,
        )

    return call


@pytest.fixture
def agentctl(start: Callable[..., subprocess.Popen[bytes]]) -> Callable[..., Outcome]:
    """Run a command line as a real process: `agentctl("chat hi", code=0, stdin=b"...")`."""

    def call(line: str, *, code: int = 0, stdin: bytes | None = None, **options: Any) -> Outcome:
        process = start(line, stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE, **options)
        out, err = process.communicate(stdin, timeout=60)
        outcome = Outcome(process.returncode, out.decode(), err.decode())
        assert outcome.code == code, f"{line}: exit {outcome.code}\n{outcome.stdout}\n{outcome.stderr}"
        return outcome

    return call


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Write replies for the scripted provider and return the model that gives them."""

    def write(*replies: Mapping[str, Any], name: str = "replies.yaml") -> str:
        path = tmp_path / name
        path.write_text(json.dumps({"replies": list(replies)}), encoding="utf-8")
        return f"script/{path}"

    return write


@pytest.fixture
def store(environ: dict[str, str]) -> Store:
    """The database that the commands of this test use."""
    return Store(Path(environ["AGENTCTL_HOME"]) / "agentctl.db")
