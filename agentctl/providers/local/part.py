"""The file of a model while it grows: counted, hashed, and moved into place once it is whole."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from agentctl.errors import TemporaryFailure
from agentctl.providers.local.models import EmbeddedModel

Progress = Callable[[int, int, str], object]


class Part:
    """Holds no more than the model has, and knows the hash of it."""

    def __init__(self, path: Path, model: EmbeddedModel, progress: Progress) -> None:
        self.model = model
        self.path = path
        self.label = ""
        self.done = 0
        self._told = 0
        self._progress = progress
        self._hash = hashlib.sha256()
        self._file = path.open("wb")

    def write(self, data: bytes) -> None:
        """Append. Raises TemporaryFailure as soon as there is more than the model has."""
        self.done += len(data)
        if self.done > self.model.size:
            raise TemporaryFailure(f"more than the {self.model.size} bytes of {self.model.name} came")
        self._hash.update(data)
        self._file.write(data)
        self.tell(self.done)

    def tell(self, done: int) -> None:
        """Report progress, which never goes back: an archive that came is read once more."""
        self._told = max(self._told, min(done, self.model.size))
        self._progress(self._told, self.model.size, self.label)

    def move_to(self, path: Path) -> None:
        """Check size and hash, and put the file into place. Raises TemporaryFailure for another file."""
        self._file.flush()
        os.fsync(self._file.fileno())
        if self.done != self.model.size:
            raise TemporaryFailure(f"{self.done} of {self.model.size} bytes came")
        found = self._hash.hexdigest()
        if found != self.model.sha256:
            raise TemporaryFailure(f"it is another file: sha256 {found} instead of {self.model.sha256}")
        os.replace(self.path, path)

    def close(self) -> None:
        """Remove what was not moved into place."""
        self._file.close()
        self.path.unlink(missing_ok=True)
