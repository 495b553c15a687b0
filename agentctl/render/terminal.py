"""Finds the terminal on which a person can be asked, if there is one."""

from __future__ import annotations

import os


def terminal_that_can_ask(*, stderr_is_terminal: bool, no_input: bool, ci: bool) -> int | None:
    """A descriptor of /dev/tty where a person can be asked, else None.

    They can where /dev/tty opens, this process is in its foreground group, stderr is a terminal, CI is
    unset and --no-input was not given.
    """
    if no_input or ci or not stderr_is_terminal:
        return None
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if os.tcgetpgrp(terminal) == os.getpgrp():
            return terminal
    except OSError:
        pass
    os.close(terminal)
    return None
