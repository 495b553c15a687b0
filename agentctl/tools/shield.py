"""Keeps the stdout of this process away from programs that a tool starts without thinking of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache


class Shield:
    """While anybody holds it, descriptor 1 leads nowhere; answers are written through one of their own."""

    def __init__(self) -> None:
        self._holders = 0
        self._stdout = -1

    @contextmanager
    def hold(self) -> Iterator[None]:
        """For as long as this block takes; blocks may overlap."""
        if not self._holders:
            self._divert()
        self._holders += 1
        try:
            yield
        finally:
            self._holders -= 1
            if not self._holders:
                self._restore()

    def _divert(self) -> None:
        try:
            self._stdout = os.dup(1)
        except OSError:  # there is none
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)

    def _restore(self) -> None:
        if self._stdout != -1:
            os.dup2(self._stdout, 1)
            os.close(self._stdout)
            self._stdout = -1


@cache
def stdout_shield() -> Shield:
    """The one of this process."""
    return Shield()
