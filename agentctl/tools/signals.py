"""The names of signals, those among them that have none."""

from __future__ import annotations

import signal


def name_signal(number: int) -> str:
    """As SIGSEGV; `signal 35` for one without a name, such as those for real time."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
