"""The guard of a real process: it dies with it, hears no Ctrl-C, and stays away from its output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import agentctl
from tests.tools.guard.processes import guards_of, is_alive, living_below, wait_until

ROOT = Path(agentctl.__file__).parent.parent

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks at processes through /proc"
)

HANGING = """
import asyncio
from agentctl.tools.guard.client import run_guarded
async def main():
    print(await run_guarded("builtins:len", "ready", timeout=30), flush=True)
    await asyncio.gather(*[run_guarded("time:sleep", 600, timeout=900) for _ in range(2)])
asyncio.run(main())
"""
NOISY = """
import asyncio
from agentctl.tools.guard.client import run_guarded
loud = "import sys, os; print('n'); print('n', file=sys.stderr); os.write(1, b'n'); os.system('echo n')"
asyncio.run(run_guarded("builtins:exec", loud, timeout=30))
print("done")
"""
INTERRUPTED = """
import asyncio, signal, sys
from agentctl.tools.guard.client import run_guarded
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append(1))
def server():
    return asyncio.run(run_guarded("builtins:eval", "__import__('os').getppid()", timeout=30))
print(server(), flush=True)
sys.stdin.readline()
print(server(), len(seen))
"""


@pytest.fixture
def hanging() -> Iterator[subprocess.Popen[bytes]]:
    """A process with a guard whose children hang."""
    with subprocess.Popen(
        [sys.executable, "-c", HANGING], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"5\n"
        yield process
        process.kill()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_guard_outlives_its_process(hanging: subprocess.Popen[bytes], number: signal.Signals) -> None:
    (server,) = guards_of(hanging.pid)
    assert wait_until(lambda: len(living_below(server)) == 2)
    left = {server, *living_below(server)}
    hanging.send_signal(number)
    hanging.wait(20)
    assert wait_until(lambda: not any(map(is_alive, left)))


def test_a_guard_never_holds_the_output_of_its_process_open(hanging: subprocess.Popen[bytes]) -> None:
    (server,) = guards_of(hanging.pid)
    os.kill(server, signal.SIGSTOP)  # even one that cannot end
    try:
        hanging.kill()
        assert hanging.communicate(timeout=20)[0] == b""
    finally:
        os.kill(server, signal.SIGCONT)
    assert wait_until(lambda: not is_alive(server))


def test_nothing_a_child_prints_reaches_the_output_of_the_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NOISY], cwd=ROOT, capture_output=True, timeout=60, check=True
    )
    assert done.stdout == b"done\n"
    assert done.stderr == b""


def test_an_interrupt_from_the_terminal_does_not_reach_the_guard() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        server = process.stdout.readline().strip()
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(b"\n", timeout=20)
        assert out.split() == [server, b"1"]


def test_an_idle_guard_ends_with_a_process_that_ends_by_itself() -> None:
    code = (
        "import asyncio, os\nfrom agentctl.tools.guard.client import run_guarded\n"
        "print(asyncio.run(run_guarded('builtins:eval', \"__import__('os').getppid()\", timeout=30)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60, check=True)
    assert done.stderr == b""
    assert wait_until(lambda: not is_alive(int(done.stdout)))
