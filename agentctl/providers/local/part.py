"""The file of a model while it grows: counted, hashed, and moved into place once it is whole."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from agentctl.errors import TemporaryFailure

Progress = Callable[[int, int, str], object]


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known of a file before it comes; None where nothing is."""

    name: str
    size: int | None = None
    sha256: str | None = None


class Part:
    """Holds no more than the file has, and knows the hash of it."""

    def __init__(self, path: Path, expected: Expected, progress: Progress) -> None:
        self.path = path
        self.label = ""
        self.done = 0
        self._expected = expected
        self._told = 0
        self._progress = progress
        self._hash = hashlib.sha256()
        self._file = path.open("wb")

    def expect(self, size: int | None) -> None:
        """Take the size that the sender names where none was known."""
        if self._expected.size is None:
            self._expected = replace(self._expected, size=size)

    def write(self, data: bytes) -> None:
        """Append. Raises TemporaryFailure as soon as there is more than the file has."""
        self.done += len(data)
        size = self._expected.size
        if size is not None and self.done > size:
            raise TemporaryFailure(f"more than the {size} bytes of {self._expected.name} came")
        self._hash.update(data)
        self._file.write(data)
        self.tell(self.done)

    def tell(self, done: int) -> None:
        """Report progress, which never goes back: an archive that came is read once more."""
        size = self._expected.size or 0
        self._told = max(self._told, min(done, size))
        self._progress(self._told, size, self.label)

    def move_to(self, path: Path) -> None:
        """Check size and hash, and put the file into place. Raises TemporaryFailure for another file."""
        self._file.flush()
        os.fsync(self._file.fileno())
        size, sha256 = self._expected.size, self._expected.sha256
        if size is not None and self.done != size:
            raise TemporaryFailure(f"{self.done} of {size} bytes came")
        found = self._hash.hexdigest()
        if sha256 is not None and found != sha256:
            raise TemporaryFailure(f"it is another file: sha256 {found} instead of {sha256}")
        os.replace(self.path, path)

    def close(self) -> None:
        """Remove what was not moved into place."""
        self._file.close()
        self.path.unlink(missing_ok=True)
