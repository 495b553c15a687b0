"""The folder and the names of the files through which clients and the server of one model find each other."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from agentctl.errors import ConfigError

# The router's prompt stays in one slot, the conversation in the other: neither pushes the other out.
ROUTER_SLOT = 0
CHAT_SLOT = 1

# sun_path has 104 bytes on macOS and 108 on Linux, a zero byte at the end included.
LONGEST_SOCKET = 103
SHORT_FOLDER = Path("/tmp")


@dataclass(frozen=True, slots=True)
class Place:
    """One model's files: `name` tells models (and their settings) apart within `folder`."""

    folder: Path
    name: str
    socket: Path

    @property
    def key(self) -> Path:
        """What the server says once it is ready: its key and what it runs on, 0600 JSON."""
        return self._file("key")

    @property
    def alive(self) -> Path:
        """The lock that the server holds as long as it lives."""
        return self._file("alive")

    @property
    def use(self) -> Path:
        """The lock that clients share while they need the server."""
        return self._file("use")

    @property
    def turn(self) -> Path:
        """The lock of the one client that is being answered, or that starts the server."""
        return self._file("turn")

    @property
    def prefix(self) -> Path:
        """Which prompt the server has computed in its first slot."""
        return self._file("prefix")

    @property
    def log(self) -> Path:
        """The server's stderr."""
        return self._file("log")

    def _file(self, ending: str) -> Path:
        return self.folder / f"{self.name}.{ending}"


def find_place(run_dir: Path, model: Path, context: int) -> Place:
    """The place of the server for the file `model` with `context` tokens; its folder is there afterwards.

    Raises ConfigError where the folder is not ours alone.
    """
    state = model.stat()
    told = f"{model.resolve()}\0{state.st_size}\0{state.st_mtime_ns}\0{context}"
    name = "local-" + hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    make_private(run_dir)
    socket = run_dir / f"{name}.sock"
    if len(os.fsencode(socket)) > LONGEST_SOCKET:
        short = hashlib.sha256(os.fsencode(run_dir)).hexdigest()[:12]
        folder = SHORT_FOLDER / f"agentctl-{os.getuid()}-{short}"
        make_private(folder)
        socket = folder / f"{name}.sock"
    return Place(run_dir, name, socket)


def make_private(folder: Path) -> None:
    """Make sure that `folder` is there, ours, and closed to everybody else. Raises ConfigError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.lstat()
        if stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid():
            if state.st_mode & 0o077:
                folder.chmod(0o700)
            return
    except OSError as error:
        raise ConfigError(f"cannot make {folder}: {error.strerror}") from error
    raise ConfigError(
        f"{folder} belongs to somebody else", hint="Set XDG_RUNTIME_DIR to a folder of your own."
    )
