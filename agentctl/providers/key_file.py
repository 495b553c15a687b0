"""The file of named keys: 0600, written in one step, each key bound to the origin it was set for."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any

from agentctl.domain.headers import KEY_NAME as KEY_NAME
from agentctl.domain.value import value
from agentctl.errors import Busy, ConfigError, CredentialsError

LARGEST = 1_000_000
_WAIT_SECONDS = 10.0


@value
class StoredKey:
    """A key and the one origin it may be sent to; None where it was set for no provider in particular."""

    key: str = field(repr=False)
    origin: str | None = None


class KeyFile:
    """Named keys as JSON: `{"NAME": {"key": ..., "origin": ...}}`; a bare text is a key without origin."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, StoredKey]:
        """All keys by name; none where there is no file.

        Raises CredentialsError where others can read the file, or it is not what it should be.
        """
        try:
            text = self._read_bytes()
            entries: Any = json.loads(text) if text is not None else {}
        except OSError as error:
            raise CredentialsError(f"cannot read the keys in {self.path}: {error.strerror}") from None
        except (ValueError, RecursionError):
            # No chain: what a parser says may quote a key.
            raise self._fault("cannot read the keys in {path}: no JSON") from None
        if not isinstance(entries, dict):
            raise self._fault("{path} must be one JSON object of names and keys")
        return {name: self._entry(entry) for name, entry in entries.items()}

    def put(self, name: str, stored: StoredKey) -> None:
        """Keep a key under `name`, in place of an earlier one. Raises as `read` does, or ConfigError."""

        def change(keys: dict[str, StoredKey]) -> None:
            keys[name] = stored

        self._change(change)

    def delete(self, names: Iterable[str]) -> None:
        """Forget the keys of these names. Raises as `read` does, or ConfigError."""

        def change(keys: dict[str, StoredKey]) -> None:
            for name in names:
                keys.pop(name, None)

        self._change(change)

    def _change(self, change: Callable[[dict[str, StoredKey]], None]) -> None:
        """Read, change and write while nobody else does."""
        from agentctl.providers.locks import FileLock

        # Whoever keeps the file elsewhere and links to it goes on doing so.
        target = Path(os.path.realpath(self.path))
        try:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(target.with_name(f"{target.name}.lock"))
            deadline = time.monotonic() + _WAIT_SECONDS
            while not lock.try_take():
                if time.monotonic() > deadline:
                    raise Busy(f"another process holds {lock.path}", hint="Try again when it has ended.")
                time.sleep(0.01)
            try:
                keys = self.read()
                change(keys)
                _replace(target, {name: _plain(stored) for name, stored in sorted(keys.items())})
            finally:
                lock.release()
        except OSError as error:
            raise ConfigError(f"cannot write the keys to {self.path}: {error.strerror}") from None

    def _read_bytes(self) -> bytes | None:
        """The bytes of the file; None where there is none."""
        try:
            # Without waiting: a named pipe would let nobody through.
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                raise self._fault("{path} is no file")
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise CredentialsError(f"others can read {self.path}", hint=f"chmod 600 {self.path}")
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise self._fault("{path} is too large for a file of keys")
        return text

    def _entry(self, entry: Any) -> StoredKey:
        if isinstance(entry, str):
            return StoredKey(entry)
        if isinstance(entry, dict) and isinstance(entry.get("key"), str):
            origin = entry.get("origin")
            if isinstance(origin, str | None) and entry.keys() <= {"key", "origin"}:
                return StoredKey(entry["key"], origin)
        # Not even the name is quoted: somebody may have written the key in its place.
        raise self._fault('{path}: each key must be text, or {{"key": text, "origin": text}}')

    def _fault(self, message: str) -> CredentialsError:
        hint = "Mend it by hand, or remove it and set the keys anew with agentctl keys set."
        return CredentialsError(message.format(path=self.path), hint=hint)


def _plain(stored: StoredKey) -> Any:
    return stored.key if stored.origin is None else {"key": stored.key, "origin": stored.origin}


def _replace(path: Path, keys: Any) -> None:
    """Write a 0600 file beside `path` and rename it: nobody ever reads half of it, or before its mode."""
    from tempfile import mkstemp

    descriptor, name = mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(keys, file, indent=2)
            file.write("\n")
            file.flush()
            os.fsync(descriptor)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
