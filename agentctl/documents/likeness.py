"""How much two memories say the same: shared runs of characters, found without comparing all with all.

Likeness is the Jaccard index of the sets of three-character runs (Broder 1997). A sketch of it, min-wise
hashes in bands (Indyk and Motwani 1998), finds candidates: texts that share a band are looked at exactly.
Runs of characters need no words, so that Chinese and Japanese are treated as English is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from zlib import crc32

# Of two texts this much alike, one is taken to be a newer wording of the other.
ALIKE = 0.7
_RUN = 3
_BANDS = 10
_ROWS = 3
_PRIME = (1 << 61) - 1
_GAPS = re.compile(r"[\W_]+")


def runs(text: str) -> frozenset[str]:
    """The runs of three characters in `text`, whatever its capitals, widths, spaces and marks."""
    folded = fold(text)
    return frozenset(folded[at : at + _RUN] for at in range(max(1, len(folded) - _RUN + 1)))


def fold(text: str) -> str:
    """`text` without what makes no difference: one space for all that is no letter or digit."""
    return _GAPS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def likeness(first: frozenset[str], second: frozenset[str]) -> float:
    """From 0 to 1: the part of their runs that two texts share."""
    return len(first & second) / (len(first | second) or 1)


def bands(of: frozenset[str]) -> tuple[int, ...]:
    """The bands of a text: two that are alike have one in common in more than 98 of 100 cases."""
    hashes = [crc32(run.encode()) for run in of]
    lowest = [min((a * each + b) % _PRIME for each in hashes) for a, b in _FACTORS]
    rows = (lowest[number * _ROWS : (number + 1) * _ROWS] for number in range(_BANDS))
    return tuple(crc32(repr((number, *row)).encode()) for number, row in enumerate(rows))


def _factors() -> Iterator[tuple[int, int]]:
    """Fixed factors: bands are kept in the database, so that they must be the same tomorrow."""
    state = 0x2545F491
    for _ in range(_BANDS * _ROWS):
        # A linear congruential generator with Knuth's constants.
        first = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        state = (first * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        yield first >> 3 | 1, state >> 3


_FACTORS = tuple(_factors())
