from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agentctl.providers.key_command import CommandFailure, CommandTimeout, run_command

HANG_GUARD = 20.0


def gone(pid: int) -> bool:
    """Whether the process ends soon; one that nobody waited for is gone as well."""
    deadline = time.monotonic() + HANG_GUARD
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def started(path: Path) -> int:
    deadline = time.monotonic() + HANG_GUARD
    while not (path.exists() and path.read_text().strip()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return int(path.read_text())


def test_the_output_is_given() -> None:
    assert run_command(["printf", "a key\n"], 10) == "a key\n"


def test_a_command_that_takes_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with pytest.raises(CommandTimeout, match=r"took more than 0\.5 s"):
        run_command(["sh", "-c", f"sleep 600 & echo $! > {pid}; wait"], 0.5)
    assert gone(started(pid))


def test_a_child_that_keeps_the_pipe_open_holds_nobody_up() -> None:
    started_at = time.monotonic()
    assert run_command(["sh", "-c", "sleep 30 & echo key"], 20) == "key\n"
    assert time.monotonic() - started_at < 15


def test_a_flood_is_cut_off() -> None:
    with pytest.raises(CommandFailure, match="printed more than a key"):
        run_command(["sh", "-c", "yes"], 10)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["sh", "-c", "exit 3"], "ended with 3"),
        (["sh", "-c", "kill -9 $$"], "ended with -9"),
        (["no-such-command"], "cannot be run: No such file or directory"),
        (["/"], "cannot be run: "),
        (["a\0b"], "cannot be run: "),
    ],
)
def test_a_command_that_fails_says_how(command: list[str], words: str) -> None:
    with pytest.raises(CommandFailure, match=words):
        run_command(command, 10)


def test_its_stderr_is_seen_and_stdin_is_not_its_own() -> None:
    code = (
        "from agentctl.providers.key_command import run_command\n"
        "print(run_command(['sh', '-c', 'cat; echo unlock me >&2; echo k'], 10))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="the user's data",
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert (done.stdout.strip(), done.stderr.strip()) == ("k", "unlock me")


def test_a_signal_ends_the_command_too(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "from agentctl.providers.key_command import run_command\n"
        f"run_command(['sh', '-c', 'echo $$ > {pid}; sleep 600'], 600)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    )
    child = started(pid)
    process.send_signal(signal.SIGTERM)
    assert process.wait(HANG_GUARD) == 143
    assert gone(child)


def test_a_signal_that_comes_while_the_command_starts_ends_it_too(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = (
        "import os, signal, subprocess, sys\n"
        "from agentctl.providers.key_command import run_command\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "class Early(subprocess.Popen):\n"
        "    def __init__(self, *words, **options):\n"
        "        super().__init__(*words, **options)\n"
        f"        open({str(pid)!r}, 'w').write(str(self.pid))\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "subprocess.Popen = Early\n"
        "run_command(['sleep', '600'], 600)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        timeout=HANG_GUARD,
    )
    assert done.returncode == 143
    assert gone(started(pid))
