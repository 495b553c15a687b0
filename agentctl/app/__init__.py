"""Wires everything: one object that builds each part when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from agentctl.app.work import Work

if TYPE_CHECKING:
    from agentctl.domain.finding import Finding


class App(Work):
    """What every command gets."""

    def examine(self) -> Iterator[Finding]:
        """Look at everything that is needed; each finding as soon as it is known."""
        from agentctl.app.doctor import examine

        return examine(self)
