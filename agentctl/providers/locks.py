"""Locks on files that the operating system lets go of when their holder dies, however it dies."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

from agentctl.errors import ConfigError

_POLL = 0.05


class FileLock:
    """A lock on `path`, created 0600. Two objects exclude each other, in one process as well."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    @property
    def held(self) -> bool:
        """Whether this very object holds the lock."""
        return self._fd is not None

    def try_take(self, *, shared: bool = False) -> bool:
        """Take the lock if that is possible at once. Shared holders only exclude exclusive ones."""
        fcntl = _fcntl()
        while self._fd is None:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            except OSError as error:
                os.close(fd)
                if isinstance(error, BlockingIOError):
                    return False
                raise
            # Somebody may have removed the file meanwhile; a lock that no path leads to excludes nobody.
            if _is_same(fd, self.path):
                self._fd = fd
            else:
                os.close(fd)
        return True

    async def take(self, *, shared: bool = False) -> None:
        """Wait until the lock is ours; cancelling gives up."""
        import asyncio  # the server, which never waits like this, does without it

        # Only the operating system knows when another process lets go, so there is no event to wait for.
        while not self.try_take(shared=shared):  # noqa: ASYNC110
            await asyncio.sleep(_POLL)

    def remove(self) -> None:
        """Let go and remove the file, for a lock that is seldom needed; somebody else's is left alone."""
        if self._fd is not None:
            self.path.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Let go; nothing happens where it is not held."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def is_held(path: Path) -> bool:
    """Whether anybody holds the lock on `path` exclusively."""
    probe = FileLock(path)
    free = probe.try_take(shared=True)
    probe.release()
    return not free


def _fcntl() -> ModuleType:
    try:
        import fcntl
    except ImportError:
        raise ConfigError(
            "the embedded model needs Linux or macOS",
            hint="Use a key instead: set OPENAI_API_KEY and add -m openai/MODEL.",
        ) from None
    return fcntl


def _is_same(fd: int, path: Path) -> bool:
    ours = os.fstat(fd)
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return False
    return (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)
