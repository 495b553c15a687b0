"""When the time of a run is over; whoever waits for something asks here how long it may."""

from __future__ import annotations

import time


class Deadline:
    """One for a process: each run starts it anew. `at` is a time of the monotonic clock, None for no end."""

    def __init__(self) -> None:
        self.at: float | None = None

    def start(self, seconds: float | None) -> None:
        """From now on there are so many seconds; None for no end."""
        self.at = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds that are left, at least 0; None where there is no end."""
        return None if self.at is None else max(0.0, self.at - time.monotonic())
