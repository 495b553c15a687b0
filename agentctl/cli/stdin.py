"""Reads what is piped in, to its end and no further than is sane."""

from __future__ import annotations

import os
import select
from typing import TextIO

from agentctl.errors import UsageError

LONGEST = 16 * 1024 * 1024


def find_descriptor(stdin: TextIO | None) -> int | None:
    """The descriptor of stdin, or None where there is none."""
    if stdin is None:
        return None
    try:
        return stdin.fileno()
    except (OSError, ValueError):
        return None


def read_stdin(stdin: TextIO | None) -> str:
    """All of stdin. Raises UsageError where there is none, for more than 16 MB and for what is no UTF-8."""
    descriptor = find_descriptor(stdin)
    if descriptor is None:
        raise UsageError("`-` means stdin, and there is none")
    return read_all(descriptor)


def read_all(descriptor: int) -> str:
    """All that comes, as text. Raises UsageError for more than 16 MB and for what is no UTF-8."""
    data = bytearray()
    while piece := _read_piece(descriptor):
        data += piece
        if len(data) > LONGEST:
            raise UsageError(f"stdin holds more than {LONGEST // 1024 // 1024} MB", hint="Send less of it.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"stdin is not UTF-8 text (byte {error.start})", hint="Convert it first, e.g. with iconv."
        ) from None


def _read_piece(descriptor: int) -> bytes:
    try:
        # A pipe that was handed over without blocking has to be waited for.
        select.select([descriptor], [], [])
        return os.read(descriptor, 1 << 16)
    except BlockingIOError:
        return _read_piece(descriptor)
    except OSError as error:
        raise UsageError(f"stdin cannot be read: {error.strerror}") from None
