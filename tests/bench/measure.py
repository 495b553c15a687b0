"""CPU time of whole processes, measured in turn so that a machine that drifts spoils no ratio."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A process to measure."""

    arguments: Sequence[str]
    environ: Mapping[str, str]


def cpu_seconds(command: Command) -> float:
    """User and system time of one run, children included. Raises where the command fails."""
    process = subprocess.Popen(
        command.arguments, env=dict(command.environ), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command.arguments)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def compare(subject: Command, baseline: Command, rounds: int) -> tuple[float, float, float]:
    """Median seconds of subject and baseline, and the median of their ratios pair by pair."""
    cpu_seconds(subject), cpu_seconds(baseline)
    pairs = [(cpu_seconds(subject), cpu_seconds(baseline)) for _ in range(rounds)]
    subjects, baselines = zip(*pairs, strict=True)
    ratio = statistics.median(first / second for first, second in pairs)
    return statistics.median(subjects), statistics.median(baselines), ratio
