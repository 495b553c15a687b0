"""Limits that a process sets for itself before it runs a call; the kernel holds it to them."""

from __future__ import annotations

import resource
import signal


def end_after(seconds: float) -> None:
    """End this process by SIGALRM then, whatever C code it is in, with or without a parent."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def lower(kind: int, value: int) -> None:
    """Lower one limit of `resource`, for good; one that the system refuses stays as it is."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (OSError, ValueError):  # macOS refuses RLIMIT_AS; the deadline still holds there
        return
