"""What is wrong with the keys of a config that say which hosts and ports its requests may reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agentctl.net.guard.hosts import read_pattern
from agentctl.tools.checks import Fault


def host_faults(key: str, patterns: Sequence[str]) -> Iterator[Fault]:
    """A fault for each of `patterns` under `key` that means no host: ignoring it could allow too much."""
    for place, pattern in enumerate(patterns):
        try:
            read_pattern(pattern)
        except ValueError as error:
            yield Fault((key, place), f"is no host and no *.suffix ({error})")


def port_faults(key: str, ports: Sequence[int]) -> Iterator[Fault]:
    """A fault for each of `ports` under `key` that cannot be one."""
    for place, port in enumerate(ports):
        if not 1 <= port <= 65_535:
            yield Fault((key, place), "there is no such port")
