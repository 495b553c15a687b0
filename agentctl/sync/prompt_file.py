"""Reads a prompt from a file of its own, strictly below the folder of the YAML file that names it."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

from agentctl.formats.text import TextError, decode

MAX_PROMPT_BYTES = 256_000


class PromptError(Exception):
    """Why the file is not read; the message is for the place in the YAML file."""


def read_prompt(folder: Path, given: str) -> str:
    """The text of `given`, a relative path with `/`, below `folder`.

    Each step is opened relative to the one before and never through a link, so that neither a link nor a
    folder that is swapped meanwhile leads out of `folder`. Raises PromptError.
    """
    if not hasattr(os, "O_NOFOLLOW"):
        raise PromptError("prompt files cannot be read safely on this system: write the text into this file")
    path = PurePosixPath(given)
    if path.is_absolute() or ".." in path.parts or "\\" in given or not path.parts:
        raise PromptError("must be a path below the folder of this file, without `..`")
    try:
        data = _read(folder, path.parts)
    except FileNotFoundError:
        raise PromptError(f"no such file: {given}") from None
    except OSError as error:
        if stat.S_ISLNK(_mode(folder, path.parts)):
            raise PromptError(f"{given} is or goes through a link, and links are not followed") from None
        raise PromptError(f"{given}: {error.strerror or error}") from None
    try:
        text = decode(data)
    except TextError as error:
        raise PromptError(f"{given}:{error.line}:{error.column}: {error.message}") from None
    if "\0" in text:
        raise PromptError(f"{given} holds NUL characters: is it a text?")
    return text


def _read(folder: Path, parts: tuple[str, ...]) -> bytes:
    """The bytes of the file; OSError where a step is a link, missing or no folder."""
    here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = below
        # Not blocking, so that a pipe with this name is turned away instead of waited for.
        file = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
    finally:
        os.close(here)
    with os.fdopen(file, "rb") as stream:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise PromptError(f"{'/'.join(parts)} is no plain file")
        data = stream.read(MAX_PROMPT_BYTES + 1)
    if len(data) > MAX_PROMPT_BYTES:
        raise PromptError(f"{'/'.join(parts)} is larger than {MAX_PROMPT_BYTES:,} bytes")
    return data


def _mode(folder: Path, parts: tuple[str, ...]) -> int:
    """The mode of the first step that is a link, else 0: only to say what went wrong."""
    path = folder
    for part in parts:
        path = path / part
        if path.is_symlink():
            return stat.S_IFLNK
    return 0
