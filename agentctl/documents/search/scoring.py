"""Scores documents in several lists: whole, by chunk, by window of three lines, by line, by parts of words.

Every list is BM25 (Robertson and Zaragoza 2009) over its own units; a document has the score of its best one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log
from typing import NamedTuple

from agentctl.documents.search.needles import Found, Needle
from agentctl.documents.search.spreading import Counts, Units, to_chunks, to_lines, to_windows
from agentctl.domain.document_hit import ListName

_K1 = 1.2
_B = 0.75


class Corpus(NamedTuple):
    """How many documents there are, and how many of them hold a needle, for those of which it is known."""

    size: int
    frequencies: Mapping[int, int]


class Scores(NamedTuple):
    """One list: the score of each document, by its place in `found`, and its best unit."""

    name: ListName
    by_document: dict[int, float]
    units: dict[int, int]


def score_lists(found: Sequence[Found], needles: Sequence[Needle], corpus: Corpus) -> list[Scores]:
    """Every list for documents whose needles were found."""
    if not found:
        return []
    return [_score(name, [cut(each) for each in found], needles, corpus) for name, cut in _LISTS.items()]


def _score(name: ListName, units: list[Units], needles: Sequence[Needle], corpus: Corpus) -> Scores:
    count = sum(len(each.lengths) for each in units) or 1
    average = sum(sum(each.lengths) for each in units) / count or 1.0
    # The documents at hand may be a choice of many: their units stand for those of all.
    total = count * max(1.0, corpus.size / len(units))
    weights = _weights([each.counts for each in units], needles, corpus.frequencies, total)
    least, slope = _K1 * (1 - _B), _K1 * _B / average
    scores = Scores(name, {}, {})
    for place, each in enumerate(units):
        gains: dict[int, float] = {}
        for number, counts in each.counts.items():
            weight = weights[number]
            for unit, times in counts.items():
                gain = weight * times / (times + least + slope * each.lengths[unit])
                gains[unit] = gains.get(unit, 0.0) + gain
        if gains:
            best = max(gains, key=gains.__getitem__)
            scores.by_document[place] = gains[best]
            scores.units[place] = best
    return scores


def _weights(
    found: Sequence[Counts], needles: Sequence[Needle], known: Mapping[int, int], total: float
) -> dict[int, float]:
    """What each needle is worth: the more, the fewer units hold it."""
    documents: dict[int, int] = {}
    holding: dict[int, int] = {}
    for each in found:
        for number, counts in each.items():
            documents[number] = documents.get(number, 0) + 1
            holding[number] = holding.get(number, 0) + len(counts)
    weights = {}
    for number, at_hand in documents.items():
        frequency = holding[number] * max(1.0, known.get(number, 0) / at_hand)
        rarity = log(1 + max(0.0, total - frequency + 0.5) / (frequency + 0.5))
        weights[number] = (_K1 + 1) * needles[number].weight * rarity
    return weights


def _whole(found: Found) -> Units:
    return Units([found.length], {number: {0: times} for number, times in found.whole.items()})


def _parts(found: Found) -> Units:
    return Units([found.length], {number: {0: times} for number, times in found.parts.items()})


_LISTS: dict[ListName, Callable[[Found], Units]] = {
    "document": _whole,
    "chunk": to_chunks,
    "window": to_windows,
    "line": to_lines,
    "part": _parts,
}
