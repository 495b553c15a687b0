"""Shows long text through the person's pager."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from shutil import get_terminal_size

from agentctl.render.streams import Streams


def show_long(text: str, streams: Streams, pager: str | None) -> None:
    """Write `text`; on a terminal with fewer lines than it has, through `pager` where that can be run."""
    lines = text.count("\n") + 2
    is_long = streams.stdout_is_terminal and lines > get_terminal_size().lines
    if not (is_long and pager and _run(pager, text)):
        streams.write(f"{text}\n")


def _run(pager: str, text: str) -> bool:
    try:
        words = shlex.split(pager)
        if os.path.basename(words[0]) == "less":
            # Without it the colours are shown as the sequences that they are.
            words.append("-R")
        process = subprocess.Popen(words, stdin=subprocess.PIPE)
    except (OSError, ValueError, IndexError):
        return False
    # Ctrl-C belongs to the pager, as long as it runs.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        # A pager that is left early closes its end, which communicate() takes as it is.
        process.communicate(text.encode())
    finally:
        signal.signal(signal.SIGINT, before)
    return True
