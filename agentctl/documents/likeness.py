"""How much two memories say the same: shared runs of characters, found without comparing all with all.

Likeness is the Jaccard index of the sets of three-character runs (Broder 1997). A sketch of it, min-wise
hashes of one permutation (Shrivastava and Li 2014) in bands (Indyk and Motwani 1998), finds candidates: texts
that share a band are looked at exactly.
Runs of characters need no words, so that Chinese and Japanese are treated as English is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from zlib import crc32

# Of two texts this much alike, one is taken to be a newer wording of the other.
ALIKE = 0.7
_RUN = 3
# Of longer texts the beginnings are compared: a memory is short, and time is bounded.
_LONGEST = 4_000
_BANDS = 10
_ROWS = 3
_MASK = (1 << 64) - 1
# The golden ratio in 64 bits (Knuth, multiplicative hashing); bands are kept, so that it never changes.
_MIX = 0x9E3779B97F4A7C15
_GAPS = re.compile(r"[\W_]+")


def runs(text: str) -> frozenset[str]:
    """The runs of three characters at the start of `text`, whatever its capitals, spaces and marks."""
    folded = fold(text[:_LONGEST])
    return frozenset(folded[at : at + _RUN] for at in range(max(1, len(folded) - _RUN + 1)))


def fold(text: str) -> str:
    """`text` without what makes no difference: one space for all that is no letter or digit."""
    return _GAPS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def likeness(first: frozenset[str], second: frozenset[str]) -> float:
    """From 0 to 1: the part of their runs that two texts share."""
    return len(first & second) / (len(first | second) or 1)


def bands(of: frozenset[str]) -> tuple[int, ...]:
    """The bands of a text: two that are alike have one in common in more than 95 of 100 cases."""
    lowest: list[int | None] = [None] * (_BANDS * _ROWS)
    for run in of:
        # The remainders of a checksum alone would not be spread evenly.
        mixed = crc32(run.encode()) * _MIX & _MASK
        place = (mixed >> 40) % len(lowest)
        held = lowest[place]
        if held is None or mixed < held:
            lowest[place] = mixed
    filled = _fill(lowest)
    rows = (filled[number * _ROWS : (number + 1) * _ROWS] for number in range(_BANDS))
    return tuple(crc32(repr((number, *row)).encode()) for number, row in enumerate(rows))


def _fill(lowest: Sequence[int | None]) -> list[int]:
    """What is empty borrows from the next one that is not, with the distance added."""
    filled = []
    for place in range(len(lowest)):
        distance = 0
        while (found := lowest[(place + distance) % len(lowest)]) is None:
            distance += 1
        filled.append(found + distance)
    return filled
