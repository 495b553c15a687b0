"""Reads a secret: from a person, without showing what is typed, or from the first line of stdin."""

from __future__ import annotations

import io
import os
import stat
import termios
from typing import TextIO

LONGEST = 64 * 1024


def ask_secret(terminal: int, question: str) -> str:
    """What the person typed; empty at the end of input. Closes `terminal`, which shows typing again."""
    try:
        shown = termios.tcgetattr(terminal)
        hidden = [*shown[:3], shown[3] & ~termios.ECHO, *shown[4:]]
        # What was typed before the question was not meant for it.
        termios.tcsetattr(terminal, termios.TCSAFLUSH, hidden)
        try:
            os.write(terminal, question.encode("utf-8", "replace"))
            typed = b""
            while not typed.endswith(b"\n"):
                piece = os.read(terminal, 4096)
                if not piece:
                    break
                typed += piece
        finally:
            termios.tcsetattr(terminal, termios.TCSAFLUSH, shown)
            os.write(terminal, b"\n")
    finally:
        os.close(terminal)
    return typed.decode("utf-8", "replace")


def is_given(stdin: TextIO | None) -> bool:
    """Whether stdin is a pipe or a file, which somebody must have meant to be read."""
    if stdin is None or stdin.closed or stdin.isatty():
        return False
    try:
        return not stat.S_ISCHR(os.fstat(stdin.fileno()).st_mode)
    except (OSError, io.UnsupportedOperation):
        return True


def read_secret(stdin: TextIO) -> str:
    """The first line of stdin; bytes that are no text become characters that no secret has."""
    return stdin.buffer.readline(LONGEST).decode("utf-8", "replace")
