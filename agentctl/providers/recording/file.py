"""The file of a recording: read as sections, one a turn, and written line by line."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from agentctl.domain.value import value
from agentctl.errors import Busy, ConfigError, NotFound, UsageError
from agentctl.providers.locks import FileLock

VERSION = 1
KINDS = frozenset({"answer", "check", "decision", "end", "exchange", "recalled", "tool"})

Line = dict[str, Any]


@value
class Section:
    """One recorded turn: its `run` line, and the other lines by their kind, in order."""

    run: Line
    lines: Mapping[str, list[Line]] = field(default_factory=dict)

    @property
    def turn(self) -> int:
        """Which turn of its session this is, from 1."""
        return int(self.run["turn"])


@value
class Recording:
    """All of a file; `session` is None where it is empty."""

    session: str | None = None
    sections: tuple[Section, ...] = ()

    def find(self, turn: int) -> Section | None:
        """The section of this turn."""
        return next((section for section in self.sections if section.turn == turn), None)


def read_recording(path: Path) -> Recording:
    """The recording in `path`. Raises NotFound for no file, ConfigError for one of something else."""
    lines = _read_lines(path)
    if not lines:
        return Recording()
    head, *others = lines
    known = isinstance(head.get("version"), int) and isinstance(head.get("session"), str)
    if head.get("type") != "recording" or not known:
        raise ConfigError(f"{path} is no recording", hint="agentctl chat --record FILE makes one.")
    if head["version"] > VERSION:
        raise ConfigError(f"{path} was recorded by a newer agentctl", hint="Update agentctl.")
    sections: list[Section] = []
    for line in others:
        if line.get("type") == "run":
            if type(line.get("turn")) is not int:
                raise ConfigError(f"{path}: a run in it has no turn", hint="Record it anew.")
            sections.append(Section(line, {kind: [] for kind in KINDS}))
        elif sections and str(line.get("type")) in KINDS:
            sections[-1].lines[line["type"]].append(line)
    return Recording(str(head.get("session")), tuple(sections))


class Writer:
    """Appends whole lines to a recording, so that what a crash leaves can be read.

    Nobody else can write to the file meanwhile; it is not touched before `begin`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = FileLock(path)
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK
            self._file = os.open(path, flags, 0o600)
        except OSError as error:
            raise UsageError(f"cannot write the recording {path}: {error.strerror}") from None
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            self.close()
            raise UsageError(f"{path} is no file to record into")
        if not self._take():
            self.close()
            raise Busy(f"another process records into {path}", hint="Wait for it, or record into a new file.")
        self.is_empty = os.fstat(self._file).st_size == 0

    def begin(self, session: str) -> None:
        """Write the first line, if it is not there yet."""
        self._mend_end()
        if self.is_empty:
            self.write({"type": "recording", "version": VERSION, "session": session})
            self.is_empty = False

    def write(self, line: Line) -> None:
        """Append one line. Raises ConfigError where the disk takes no more."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        try:
            data = text.encode()
        except UnicodeEncodeError:
            data = json.dumps(line, separators=(",", ":")).encode()
        self._append(data + b"\n")

    def close(self) -> None:
        """Close the file, and let others have it."""
        os.close(self._file)
        self._lock.release()

    def _take(self) -> bool:
        """Whether this process alone has the file now; where locks are unknown nobody can tell."""
        try:
            return self._lock.try_take()
        except OSError:
            return True

    def _append(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise ConfigError(f"cannot write the recording {self._path}: {error.strerror}") from None

    def _mend_end(self) -> None:
        """Whoever was killed while writing left half a line; what follows must not be glued to it."""
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            self._append(b"\n")


def _read_lines(path: Path) -> list[Line]:
    try:
        if not path.is_file():
            raise FileNotFoundError
        texts = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        hint = "agentctl chat --record FILE makes one."
        raise NotFound(f"there is no recording at {path}", hint=hint) from None
    except OSError as error:
        raise ConfigError(f"cannot read the recording {path}: {error.strerror}") from None
    parsed = [_parse(text) for text in texts if text.strip()]
    for number, line in enumerate(parsed, start=1):
        following = parsed[number] if number < len(parsed) else {"type": "run"}
        # Half a line is the last of a run whose process was killed; anywhere else somebody edited the file.
        if line is None and (number == 1 or following is None or following.get("type") != "run"):
            raise ConfigError(f"{path}:{number}: this line is no JSON object", hint="Record it anew.")
    return [line for line in parsed if line is not None]


def _parse(text: bytes) -> Line | None:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None
