from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agentctl.providers.base import Runtime
from agentctl.providers.local.models import locate
from agentctl.providers.local.place import Place, find_place
from agentctl.providers.locks import is_held

ROOT = Path(__file__).parents[3]
HANG = 60.0


def spawn(code: str, *arguments: str) -> subprocess.Popen[str]:
    """A real process that runs `code`."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until(holds: Callable[[], bool], seconds: float = HANG) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.02)


def place_of(runtime: Runtime) -> Place:
    model = locate("smollm2-135m", runtime.cache_dir)
    return find_place(runtime.run_dir, model.path, model.context)


def pid_of(place: Place) -> int:
    return int(json.loads(place.key.read_text())["pid"])


def stop_server(place: Place) -> None:
    if is_held(place.alive) and place.key.exists():
        os.kill(pid_of(place), signal.SIGKILL)
    wait_until(lambda: not is_held(place.alive))
