"""Notices when a server is not needed any more: clients hold a lock while they need it."""

from __future__ import annotations

import os
import time
from pathlib import Path

from agentctl.providers.local.place import Place
from agentctl.providers.locks import FileLock

_POLL = 1.0


def watch(place: Place, *, idle: float, use: FileLock) -> None:
    """Return once the server should end, holding `use` unless its files are gone.

    That is when nobody held `use` for `idle` seconds, or when its socket or key was removed, so that no
    client can find it. A client that was killed holds nothing, so it keeps nobody waiting.
    """
    socket = _find_inode(place.socket)
    last_use = time.time()
    while socket is not None and _find_inode(place.socket) == socket and place.key.exists():
        if not use.try_take():
            last_use = time.time()
        elif time.time() - max(last_use, _touched(place)) >= idle:
            return
        use.release()
        time.sleep(min(_POLL, max(idle / 4, 0.05)))


def wait_for_lock(lock: FileLock, *, seconds: float) -> bool:
    """Take `lock` within `seconds`; clients hold it for a moment to see whether it is free."""
    deadline = time.monotonic() + seconds
    while not lock.try_take():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _find_inode(path: Path) -> int | None:
    try:
        return os.stat(path).st_ino
    except OSError:
        return None


def _touched(place: Place) -> float:
    """When a client last began or ended, for one that was quicker than our looking."""
    try:
        return place.use.stat().st_mtime
    except OSError:
        return 0.0
