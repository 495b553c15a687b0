"""A yes-or-no question, asked on /dev/tty."""

from __future__ import annotations

import os
import termios


def confirm(terminal: int, question: str) -> bool:
    """Whether the person said yes; anything else, and the end of input, is no. Closes `terminal`."""
    try:
        # What was typed before the question was not meant for it.
        termios.tcflush(terminal, termios.TCIFLUSH)
        os.write(terminal, f"{question} [y/N] ".encode())
        answer = b""
        while not answer.endswith(b"\n"):
            piece = os.read(terminal, 256)
            if not piece:
                break
            answer += piece
    finally:
        os.close(terminal)
    return answer.strip().lower() in (b"y", b"yes")
