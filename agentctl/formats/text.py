"""Bytes to text: UTF-8 only, a byte order mark is fine, and never more than a file may have."""

from __future__ import annotations

import os
import re
from pathlib import Path

from agentctl.errors import ConfigError, NotFound

MAX_BYTES = 1_000_000

# What YAML allows in a stream (https://yaml.org/spec/1.2.2/#51-character-set), told as its complement.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def read_bytes(path: Path, name: str, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file, of which at most `limit` are ever held.

    Raises NotFound where there is none, ConfigError where it is too large or cannot be read.
    """
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            data = b"" if size > limit else file.read(limit + 1)
    except FileNotFoundError:
        raise NotFound(f"{name}: no such file") from None
    except OSError as error:
        raise ConfigError(f"{name}: {error.strerror or error}") from None
    if size > limit or len(data) > limit:
        raise too_large(name, limit)
    return data


def too_large(name: str, limit: int) -> ConfigError:
    """The error for a file of more than `limit` bytes."""
    return ConfigError(
        f"{name}: larger than {limit:,} bytes", hint="split it, or check that it is the right file"
    )


def decode(data: bytes, name: str) -> str:
    """The text of `data` without its byte order mark; line endings stay as they are.

    Raises ConfigError that names the offset of the first byte that is no UTF-8.
    """
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{name}: not UTF-8 (byte 0x{data[error.start]:02x} at offset {error.start})",
            hint="save it as UTF-8",
        ) from None


def find_forbidden(text: str) -> tuple[int, int, str] | None:
    """Line, column (from 1) and the code of the first character that may not stand in a YAML file."""
    found = _FORBIDDEN.search(text)
    if found is None:
        return None
    before = text[: found.start()]
    column = found.start() - (before.rfind("\n") + 1)
    return before.count("\n") + 1, column + 1, f"U+{ord(found.group()):04X}"
