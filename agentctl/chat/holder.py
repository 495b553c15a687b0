"""Which process holds a run, and whether it still lives."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from agentctl.domain.ids import clock_ms
from agentctl.domain.run import Holder, Run

# A holder says that it lives every few seconds; one that is silent for so long is gone, or as good as gone.
SILENCE_MS = 60_000


def current_holder() -> Holder:
    """This process, told apart from any other that may get its pid later."""
    pid = os.getpid()
    return Holder(pid, socket.gethostname(), _boot_id(), _started(pid), _namespace())


def os_user() -> str:
    """The user of the operating system, whatever user the command was told to act for."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return str(os.getuid()) if hasattr(os, "getuid") else "unknown"


def is_gone(run: Run) -> bool:
    """Whether nobody works on a running run: its process is gone, or has been silent for SILENCE_MS.

    A process that only slept finds that it lost the run before it writes or starts anything.
    """
    if run.holder is None:
        return False
    silent = run.heartbeat_at is not None and clock_ms() - run.heartbeat_at > SILENCE_MS
    return silent or not is_alive(run.holder)


def is_alive(holder: Holder | None) -> bool:
    """False only where the holder is known to be gone; a process on another host counts as alive."""
    if holder is None:
        return False
    if not holder.boot_id or holder.boot_id != _boot_id():
        # Another boot of this host is over; another host cannot be looked into.
        return holder.host != socket.gethostname()
    if holder.pid_namespace != _namespace():
        return True
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not holder.started or _started(holder.pid) == holder.started


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _started(pid: int) -> str:
    """When a process started, in clock ticks since boot; empty where it is dead or /proc does not say."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return ""
    # The command name may hold anything, so fields are counted behind its closing parenthesis.
    fields = stat.rpartition(")")[2].split()
    # A zombie keeps its pid until its parent has asked what became of it.
    return "" if fields[0] in ("X", "Z") else fields[19]


def _namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""
