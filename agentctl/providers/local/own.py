"""Fetches a model file of the user's own, from a URL or a path, and keeps it in the cache under its name."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from agentctl.errors import AgentctlError, Busy, ConfigError, NotFound, TemporaryFailure, UsageError
from agentctl.net.download import is_safe
from agentctl.providers.local.models import CATALOGUE, MAGIC, require_gguf
from agentctl.providers.local.part import Expected, Part, Progress
from agentctl.providers.local.pull import copy, fill_from_url
from agentctl.providers.locks import FileLock

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,150}\.gguf\Z")
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")


def is_url(source: str) -> bool:
    """Whether `source` is written like a URL."""
    return "://" in source


def name_file(source: str) -> str:
    """The name that the file of `source`, a URL or a path, gets in the cache.

    Raises UsageError for a URL that anybody on the way could answer, and for what has no such name.
    """
    if is_url(source) and not is_safe(source):
        raise UsageError(
            "a model is fetched with https, or with http from this machine",
            hint="Fetch the file yourself, then agentctl models pull FILE.",
        )
    name = unquote(urlsplit(source).path).rpartition("/")[2] if is_url(source) else os.path.basename(source)
    if not _NAME.match(name):
        raise UsageError(
            f"{name or source} is no name of a .gguf file", hint="Letters, digits and . _ + - can be in it."
        )
    return name


def pull_own(source: str, cache_dir: Path, *, sha256: str | None, progress: Progress) -> Path:
    """Have the file of `source` in the cache, and return its path; what is there is not fetched again.

    Raises UsageError as `name_file` does, ConfigError for a file that is none or is another one, Busy where
    another process fetches it, TemporaryFailure where it cannot be had.
    """
    name = name_file(source)
    sha256 = _choose_hash(name, sha256)
    destination = cache_dir / "models" / name
    lock = FileLock(destination.with_suffix(".lock"))
    try:
        destination.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not lock.try_take():
            raise Busy(f"another process is fetching {destination.name}", hint="Wait for it.")
        if destination.exists():
            return _check_present(destination, sha256)
        _fetch(source, destination, sha256, progress)
    except OSError as error:
        raise _explain(error, source, destination) from error
    finally:
        lock.remove()
    return destination


def _choose_hash(name: str, given: str | None) -> str | None:
    """The hash that the file must have: a file named like one of the catalogue must be that one."""
    if given is not None and not _SHA256.match(given):
        raise UsageError("--sha256 takes the 64 hexadecimal digits that sha256sum prints")
    known = next((model for model in CATALOGUE.values() if model.file == name), None)
    if known is None:
        return given
    if given not in (None, known.sha256):
        raise UsageError(f"{name} is {known.name}, whose sha256 is {known.sha256}")
    return known.sha256


def _check_present(path: Path, sha256: str | None) -> Path:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest() if sha256 else None
    if found == sha256:
        return path
    raise ConfigError(
        f"another file is there as {path.name}: sha256 {found}",
        hint=f"Remove it first: agentctl models rm {path.stem}",
    )


def _fetch(source: str, destination: Path, sha256: str | None, progress: Progress) -> None:
    expected = Expected(destination.name, sha256=sha256)
    if not is_url(source):
        path = Path(source).expanduser()
        if not path.exists():
            raise NotFound(f"{source}: no such file")
        require_gguf(path)
        expected = Expected(destination.name, path.stat().st_size, sha256)
    fill: Callable[[Part], None] = partial(fill_from_url, source) if is_url(source) else partial(copy, path)
    part = _ModelPart(destination.with_suffix(".part"), expected, progress)
    try:
        # A path's size is known by now, and there must be room for it.
        part.expect(expected.size)
        fill(part)
        part.move_to(destination)
    finally:
        part.close()


class _ModelPart(Part):
    """Takes no other file than one in the GGUF format, and none that there is no room for."""

    _head = b""

    def expect(self, size: int | None) -> None:
        if size is not None and shutil.disk_usage(self.path.parent).free < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path.parent))
        super().expect(size)

    def write(self, data: bytes) -> None:
        self._head += data[: len(MAGIC) - len(self._head)]
        self._require(MAGIC.startswith(self._head))
        super().write(data)

    def move_to(self, path: Path) -> None:
        self._require(self._head == MAGIC)
        super().move_to(path)

    def _require(self, is_gguf: bool) -> None:
        if not is_gguf:
            raise ConfigError(f"{self.path.stem}.gguf: what came is no GGUF file", hint="Check the address.")


def _explain(error: OSError, source: str, destination: Path) -> AgentctlError:
    if error.errno == errno.ENOSPC:
        return TemporaryFailure(
            f"no room for {destination.name} in {destination.parent}",
            hint="Make room, or choose another disk with AGENTCTL_CACHE.",
        )
    return ConfigError(f"cannot fetch {destination.name}: {error.filename or source}: {error.strerror}")
