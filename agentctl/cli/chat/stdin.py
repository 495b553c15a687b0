"""What of stdin belongs to the prompt: all of it, none of it, or what comes within a grace."""

from __future__ import annotations

import os
import select
import stat
from typing import TextIO

from agentctl.cli.stdin import find_descriptor, read_all
from agentctl.errors import UsageError

# An inherited pipe that stays silent must not hang a cron job (DESIGN, section 2).
GRACE_SECONDS = 1.0
SILENT = "stdin stayed silent for 1 s and was left out; --stdin waits for it, --no-stdin never reads it"


def with_piped(prompt: str, stdin: TextIO | None, read: bool | None) -> tuple[str, str | None]:
    """The whole prompt, and a warning where a silent pipe was left out.

    `read` True waits for the end of stdin, False never reads it, None decides: everything where the prompt
    is missing or `-`, else regular files and pipes that speak within the grace. Raises UsageError for an
    empty prompt and for text that is no UTF-8.
    """
    descriptor = find_descriptor(stdin)
    is_stdin = prompt == "-"
    if is_stdin and (read is False or descriptor is None):
        raise UsageError("the prompt `-` means stdin, and there is none", hint="Give the prompt as words.")
    typed = "" if is_stdin else prompt
    wanted = (
        read is not False and descriptor is not None and (is_stdin or read or not _is_terminal(descriptor))
    )
    if not wanted or descriptor is None:
        return _checked(typed), None
    if typed.strip() and not read and not _speaks(descriptor):
        return _checked(typed), SILENT
    piped = read_all(descriptor)
    if not typed.strip():
        return _checked(piped), None
    return (f"{typed}\n\n<stdin>\n{piped.rstrip(chr(10))}\n</stdin>" if piped.strip() else typed), None


def _is_terminal(descriptor: int) -> bool:
    return os.isatty(descriptor)


def _speaks(descriptor: int) -> bool:
    """Whether there is something to read, or an end, within the grace; files always do."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return True
    return bool(select.select([descriptor], [], [], GRACE_SECONDS)[0])


def _checked(prompt: str) -> str:
    if not prompt.strip():
        raise UsageError(
            "the prompt is empty", hint='Give it as words, e.g. agentctl chat "...", or pipe it in.'
        )
    return prompt
