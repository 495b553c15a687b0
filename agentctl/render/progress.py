"""Shows how far long work is, on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from agentctl.render.controls import show_controls
from agentctl.render.streams import Streams

WIDTH = 30
STEP = 10  # percent between two lines where no bar can be drawn


def megabytes(number: int) -> str:
    """Bytes in words."""
    return f"{number / 1e6:.0f} MB"


class Progress:
    """Called with how much is done, how much it is in all and what is being done; draws only what changed.

    `measure` puts how much it is in all into words.
    """

    def __init__(self, streams: Streams, measure: Callable[[int], str] = megabytes) -> None:
        self._streams = streams
        self._measure = measure
        self._shown = ""
        self._next = 0

    def __call__(self, done: int, total: int, label: str) -> None:
        """Show this state."""
        if self._streams.quiet or total <= 0:
            return
        # A name of a file, or what a model said.
        label = show_controls(label)
        percent = min(100, done * 100 // total)
        if self._streams.stderr_is_terminal:
            self._draw(percent, total, label)
        elif percent >= self._next:
            self._streams.note(f"{percent}% of {self._measure(total)}, {label}")
            self._next = percent - percent % STEP + STEP

    def end(self) -> None:
        """Leave the line of the bar."""
        if self._shown:
            self._streams.note("")

    def _draw(self, percent: int, total: int, label: str) -> None:
        filled = percent * WIDTH // 100
        line = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {percent:3d}% of {self._measure(total)}  {label}"
        if line != self._shown:
            self._shown = line
            self._streams.draw(f"\r\x1b[K{line}")
