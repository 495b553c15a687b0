"""Where the clock, the ids and the chance of one run come from when it is recorded or replayed."""

from __future__ import annotations

from collections import Counter


class Source:
    """All of it follows from `seed` and `time`, so that the same run can be had again.

    `time` (milliseconds since 1970, UTC) stands still until something comes from outside: a piece of an
    answer, a result of a tool, a person's word. What happens between two of them takes no time, and how often
    the clock is read in between changes nothing. `waits` is False where no time has to pass.
    """

    def __init__(self, seed: str, time: int, *, waits: bool) -> None:
        self.seed = seed
        self.time = time
        self.waits = waits
        self._drawn: Counter[str] = Counter()

    def move(self, time: int) -> None:
        """Set the clock forward; it never goes back."""
        self.time = max(self.time, time)

    def draw(self, purpose: str) -> int:
        """The next number (64 bits) for this purpose; other purposes do not change it."""
        import hashlib

        self._drawn[purpose] += 1
        text = f"{self.seed} {purpose} {self._drawn[purpose]}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
