"""Scores documents in several lists: whole, by chunk, by window of three lines, by line, by parts of words.

Every list is BM25 (Robertson and Zaragoza 2009) over its own units; a document has the score of its best one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

from agentctl.documents.search.needles import Found, Needle
from agentctl.domain.document_hit import ListName

_K1 = 1.2
_B = 0.75
WINDOW = 3


class Corpus(NamedTuple):
    """How many documents there are, and how many of them hold each needle; None where that is not known."""

    size: int
    frequencies: Sequence[int | None]


class Scores(NamedTuple):
    """One list: the score of each document, by its place in `found`, and its best unit."""

    name: ListName
    by_document: dict[int, float]
    units: dict[int, int]


class _Units(NamedTuple):
    """The units of one document: their lengths, and for each needle how often it stands in which."""

    lengths: Sequence[int]
    counts: Sequence[Mapping[int, int]]


def score_lists(found: Sequence[Found], needles: Sequence[Needle], corpus: Corpus) -> list[Scores]:
    """Every list for documents whose needles were found."""
    return [
        _score(name, [cut(each) for each in found], needles, corpus) for name, cut in _LISTS.items() if found
    ]


def _score(name: ListName, units: list[_Units], needles: Sequence[Needle], corpus: Corpus) -> Scores:
    count = sum(len(each.lengths) for each in units) or 1
    average = sum(sum(each.lengths) for each in units) / count or 1
    # The documents at hand may be a choice of many: their units stand for those of all.
    total = count * max(1.0, corpus.size / len(units))
    totals: list[dict[int, float]] = [{} for _ in units]
    for number, needle in enumerate(needles):
        here = [each.counts[number] for each in units]
        holding = sum(1 for each in here if each)
        if not holding:
            continue
        known = corpus.frequencies[number]
        frequency = sum(map(len, here)) * max(1.0, (known or holding) / holding)
        weight = needle.weight * log(1 + max(0.0, total - frequency + 0.5) / (frequency + 0.5))
        for each, counts, scores in zip(units, here, totals, strict=True):
            for unit, times in counts.items():
                norm = _K1 * (1 - _B + _B * each.lengths[unit] / average)
                scores[unit] = scores.get(unit, 0.0) + weight * times * (_K1 + 1) / (times + norm)
    best = {place: max(scores, key=scores.__getitem__) for place, scores in enumerate(totals) if scores}
    return Scores(name, {place: totals[place][unit] for place, unit in best.items()}, best)


def _whole(found: Found) -> _Units:
    counts = [sum(lines.values()) + head for lines, head in zip(found.lines, found.heads, strict=True)]
    return _Units([sum(found.lengths) + found.head_length], [{0: each} if each else {} for each in counts])


def _lines(found: Found) -> _Units:
    return _Units(found.lengths, found.lines)


def _windows(found: Found) -> _Units:
    lengths = found.lengths
    last = max(0, len(lengths) - WINDOW)

    def around(line: int) -> range:
        return range(max(0, line - WINDOW + 1), min(line, last) + 1)

    sizes = [sum(lengths[at : at + WINDOW]) for at in range(last + 1)]
    return _Units(sizes, [_spread(lines, around) for lines in found.lines])


def _chunks(found: Found) -> _Units:
    chunks = found.sheet.chunks
    of_line: dict[int, list[int]] = {}
    for number, (first, last, headings) in enumerate(chunks):
        for line in {*range(first, last), *headings}:
            of_line.setdefault(line, []).append(number)
    lengths = [sum(found.lengths[first:last]) for first, last, _ in chunks]
    return _Units(lengths, [_spread(lines, lambda line: of_line.get(line, ())) for lines in found.lines])


def _parts(found: Found) -> _Units:
    return _Units(
        [sum(found.lengths) + found.head_length], [{0: each} if each else {} for each in found.parts]
    )


def _spread(lines: Mapping[int, int], units_of: Callable[[int], Iterable[int]]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for line, times in lines.items():
        for unit in units_of(line):
            counts[unit] = counts.get(unit, 0) + times
    return counts


_LISTS: dict[ListName, Callable[[Found], _Units]] = {
    "document": _whole,
    "chunk": _chunks,
    "window": _windows,
    "line": _lines,
    "part": _parts,
}
