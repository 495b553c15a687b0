"""Finds the running server of a model, or starts one and waits until it is ready."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from agentctl.errors import ConfigError
from agentctl.providers.local.models import KEY_HINT, ModelFile
from agentctl.providers.local.place import Place
from agentctl.providers.local.runtime import require_runtime
from agentctl.providers.locks import is_held

_POLL = 0.02
_ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach a server: its socket, its key, and the version of the runtime that it runs on."""

    socket: Path
    key: str
    runtime: str


def find_running(place: Place) -> Connection | None:
    """The server that is ready, or None."""
    try:
        said = json.loads(place.key.read_text())
    except (OSError, ValueError):
        return None
    if not place.socket.exists() or not is_held(place.alive):
        return None
    return Connection(place.socket, said["key"], said["runtime"])


class Starter:
    """Starts servers that outlive this process. Whoever calls it must hold the place's `turn`.

    `slots` is the folder for computed prompts, `idle` in seconds.
    """

    def __init__(self, slots: Path, idle: float) -> None:
        self._slots = slots
        self._idle = idle
        self._processes: list[subprocess.Popen[bytes]] = []

    async def start(self, place: Place, model: ModelFile) -> Connection:
        """A ready server for `model`. Raises ConfigError as soon as it is known why there is none."""
        while is_held(place.alive):
            # Either it is still loading, and whoever started it is gone, or it is ending.
            running = find_running(place)
            if running:
                return running
            await asyncio.sleep(_POLL)
        require_runtime()
        self._processes = [process for process in self._processes if process.poll() is None]
        self._slots.mkdir(mode=0o700, parents=True, exist_ok=True)
        line, code = await self._launch(place, model)
        running = find_running(place) if line == "ready" else None
        if running is None:
            raise _explain(line, code, place, model)
        return running

    def close(self) -> None:
        """Forget the servers; they end by themselves."""
        for process in self._processes:
            if process.poll() is None:
                process.returncode = 0  # nobody will wait for it, and that is meant
        self._processes = []

    async def _launch(self, place: Place, model: ModelFile) -> tuple[str, int | None]:
        """Start the process; what it says of itself, and its exit code if it is gone."""
        read, write = os.pipe()
        try:
            process = self._spawn(place, model, write)
        finally:
            os.close(write)
        try:
            line = await _read_line(read)
        finally:
            os.close(read)
        return line, None if line == "ready" else process.wait()

    def _spawn(self, place: Place, model: ModelFile, report: int) -> subprocess.Popen[bytes]:
        with place.log.open("wb") as log:
            process = subprocess.Popen(
                self._command(place, model, report),
                cwd=_ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                pass_fds=(report,),
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    def _command(self, place: Place, model: ModelFile, report: int) -> list[str]:
        return [
            *(sys.executable, "-m", "agentctl.providers.local.server", str(model.path)),
            *("--folder", str(place.folder), "--name", place.name, "--socket", str(place.socket)),
            *("--slots", str(self._slots), "--context", str(model.context)),
            *("--idle", str(self._idle), "--report", str(report)),
        ]


async def _read_line(descriptor: int) -> str:
    """The first line that comes, or "" when the other side closed without one."""
    os.set_blocking(descriptor, False)
    came = b""
    while not came.endswith(b"\n"):
        try:
            more = os.read(descriptor, 4096)
        except BlockingIOError:
            await asyncio.sleep(_POLL)
            continue
        if not more:
            break
        came += more
    return came.decode("utf-8", "replace").strip()


def _explain(line: str, code: int | None, place: Place, model: ModelFile) -> ConfigError:
    start = f"the embedded model {model.name} could not be started"
    if code == -signal.SIGILL:
        return ConfigError(
            f"{start}: this CPU lacks instructions it needs (AVX2)", hint=f"Use another machine, {KEY_HINT}"
        )
    if code == -signal.SIGKILL:
        size = model.path.stat().st_size * 1.3 / 1e6
        return ConfigError(
            f"{start}: it was killed, probably for want of memory (it takes about {size:.0f} MB)",
            hint=f"Free some memory, {KEY_HINT}",
        )
    reason = line.removeprefix("failed:").strip() or _last_line(place.log) or f"exit code {code}"
    return ConfigError(
        f"{start}: {reason}",
        hint=f"If {model.path} is damaged, remove it and fetch it again (agentctl models pull), {KEY_HINT}",
    )


def _last_line(log: Path) -> str:
    try:
        lines = log.read_text("utf-8", "replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
