"""Looks at real processes, to see that none is left behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def living_below(pid: int) -> set[int]:
    """All descendants of a process that are not yet dead (zombies are), by /proc."""
    parents = _parents()
    found: set[int] = set()
    while more := {one for one, parent in parents.items() if parent in found | {pid}} - found:
        found |= more
    return found


def guards_of(pid: int) -> set[int]:
    """The fork servers among the children of a process; their own children bear the same command line."""
    return {one for one, parent in _parents().items() if parent == pid and b"guard.server" in _command(one)}


def _parents() -> dict[int, int]:
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state not in "ZX":
                parents[int(folder.name)] = int(parent)
    return parents


def is_alive(pid: int) -> bool:
    """Whether the process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition: Callable[[], object], seconds: float = 20.0) -> bool:
    """Whether `condition` came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
