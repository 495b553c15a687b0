"""Finds every process that a program has started, also those that left its group and session."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple


class Family:
    """A program that leads its own session, and all that came of it. `mark` stands in its environment.

    Where there is no /proc, only its process group is known.
    """

    def __init__(self, leader: int, mark: bytes) -> None:
        self._leader = leader
        self._mark = mark
        own = _read_state(leader)
        self._born = own.born if own else 0

    def find(self) -> set[int]:
        """The processes that still run: of its session, with its mark, or children of such ones.

        One that cleared its environment, left the session and lost its parents is not found.
        """
        states = {state.pid: state for state in _read_states() if state.born >= self._born}
        found = {
            pid for pid, state in states.items() if state.session == self._leader or self._is_marked(pid)
        }
        grown = True
        while grown:
            children = {
                pid for pid, state in states.items() if state.parent in found or state.parent == self._leader
            }
            grown = not children <= found
            found |= children
        return found

    def send(self, number: signal.Signals) -> None:
        """Send a signal to all of them. The leader must not have been reaped: its number is the group's."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._leader, number)
        for pid in self.find():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def _is_marked(self, pid: int) -> bool:
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                return self._mark in file.read()
        except OSError:
            return False


class _State(NamedTuple):
    """A process that runs; `born` counts in ticks since the system started."""

    pid: int
    parent: int
    session: int
    born: int


def _read_states() -> Iterator[_State]:
    try:
        names = os.listdir("/proc")
    except OSError:
        return
    for name in names:
        if name.isdigit() and (state := _read_state(int(name))):
            yield state


def _read_state(pid: int) -> _State | None:
    """From proc(5); None for one that is gone, or dead and not reaped yet."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name of the program is in brackets, and may hold anything.
            fields = file.read().rpartition(b")")[2].split()
        return None if fields[0] in b"ZX" else _State(pid, int(fields[1]), int(fields[3]), int(fields[19]))
    except (OSError, ValueError, IndexError):
        return None
