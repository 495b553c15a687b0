"""Takes counts by line to what lines are parts of: windows of three, and chunks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from agentctl.documents.search.needles import Found

WINDOW = 3
# By number of the needle, then by number of the unit.
Counts = Mapping[int, Mapping[int, int]]


class Units(NamedTuple):
    """The units of one document: how many terms each has, and how often needles stand in it."""

    lengths: Sequence[int]
    counts: Counts


def to_lines(found: Found) -> Units:
    """Each line for itself."""
    return Units(found.lengths, found.lines)


def to_windows(found: Found) -> Units:
    """Each line with the two behind it; what is asked in one line is often answered in the next."""
    lengths = found.lengths
    last = max(0, len(lengths) - WINDOW)
    second, third = lengths[1:] or [0], lengths[2:] or [0]
    sizes = [sum(each) for each in zip(lengths, second, third, strict=False)]
    return Units(sizes, {number: _around(lines, last) for number, lines in found.lines.items()})


def to_chunks(found: Found) -> Units:
    """Chunks, with the headings above them."""
    chunks = found.sheet.chunks
    sizes = [sum(found.lengths[first:last]) for first, last, *_ in chunks]
    starts = [chunk[0] for chunk in chunks]
    below: dict[int, list[int]] = {}
    for number, (first, last, *headings) in enumerate(chunks):
        for line in headings:
            if not first <= line < last:
                below.setdefault(line, []).append(number)

    def holding(line: int) -> list[int]:
        number = bisect_right(starts, line) - 1
        numbers = below.get(line, [])
        # Chunks overlap, so that a line may stand in more than one.
        while number >= 0 and chunks[number][1] > line:
            numbers = [*numbers, number]
            number -= 1
        return numbers

    return Units(sizes, {number: _gather(lines, holding) for number, lines in found.lines.items()})


def _around(lines: Mapping[int, int], last: int) -> dict[int, int]:
    counts: dict[int, int] = {}
    for line, times in lines.items():
        for window in range(max(0, line - WINDOW + 1), min(line, last) + 1):
            counts[window] = counts.get(window, 0) + times
    return counts


def _gather(lines: Mapping[int, int], holding: Callable[[int], list[int]]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for line, times in lines.items():
        for chunk in holding(line):
            counts[chunk] = counts.get(chunk, 0) + times
    return counts
