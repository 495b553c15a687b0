"""Whether the process that holds a run lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentctl.chat.holder import current_holder, is_alive


def test_this_process_lives() -> None:
    assert is_alive(current_holder())


@pytest.mark.parametrize("change", [{"boot_id": "another"}, {"started": "1"}, {"pid": 2**22 + 1}])
def test_another_boot_a_pid_used_again_and_a_pid_that_is_gone_are_dead(change: dict[str, Any]) -> None:
    assert not is_alive(replace(current_holder(), **change))


def test_what_cannot_be_looked_into_counts_as_alive() -> None:
    assert is_alive(replace(current_holder(), boot_id="another", host="elsewhere"))
    assert is_alive(replace(current_holder(), pid_namespace="another", pid=2**22 + 1))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_a_process_that_was_killed_is_dead_before_its_parent_has_noticed() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    started = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[19]
    holder = replace(current_holder(), pid=child.pid, started=started)
    assert is_alive(holder)
    os.kill(child.pid, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while is_alive(holder):
        assert time.monotonic() < deadline
    child.wait()
