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


class TextError(ValueError):
    """Bytes or characters that cannot be read, with line and column (from 1) of the first of them."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def decode(data: bytes) -> str:
    """The text of UTF-8 `data` without its byte order mark; line endings stay. Raises TextError."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        start = error.start
        before = data[:start].decode("utf-8")
        message = f"not UTF-8 (byte 0x{data[start]:02x} at offset {start}): save the file as UTF-8"
        raise TextError(message, *_place(before)) from None


def check_characters(text: str) -> None:
    """Raise TextError for the first character that may not stand in a YAML file."""
    found = _FORBIDDEN.search(text)
    if found:
        message = f"the character U+{ord(found.group()):04X} may not stand in YAML"
        raise TextError(message, *_place(text[: found.start()]))


def _place(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - before.rfind("\n")
