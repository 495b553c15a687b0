"""Makes one order of several lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agentctl.documents.search.scoring import Scores
from agentctl.domain.document_hit import ListRank

# How fast a place in the list of vectors loses weight, and what the first one weighs beside a list of words:
# with equal weight, a weak model for embeddings takes more than it gives.
_RANK_CONSTANT = 10
_VECTOR_WEIGHT = 0.5


def fuse(lists: Sequence[Scores]) -> dict[int, float]:
    """The sum of what each document reaches of the best score in every list; best first.

    Scores say how far apart two documents are, which their ranks alone do not. What vectors are alike in has
    no zero, so that there only the rank counts (Cormack, Clarke and Buettcher 2009).
    """
    fused: dict[int, float] = {}
    for each in lists:
        for place, share in _shares(each).items():
            fused[place] = fused.get(place, 0.0) + share
    return dict(sorted(fused.items(), key=lambda item: -item[1]))


def explain(lists: Sequence[Scores], place: int) -> tuple[ListRank, ...]:
    """Where one document stands in each list that has it."""
    return tuple(
        ListRank(each.name, _rank(each.by_document, place), round(each.by_document[place], 6))
        for each in lists
        if place in each.by_document
    )


def _shares(scores: Scores) -> Mapping[int, float]:
    if scores.name == "vector":
        ranked = sorted(scores.by_document, key=scores.by_document.__getitem__, reverse=True)
        first = _VECTOR_WEIGHT * (_RANK_CONSTANT + 1)
        return {place: first / (_RANK_CONSTANT + rank) for rank, place in enumerate(ranked, 1)}
    best = max(scores.by_document.values(), default=0.0) or 1.0
    return {place: score / best for place, score in scores.by_document.items()}


def _rank(by_document: Mapping[int, float], place: int) -> int:
    return 1 + sum(score > by_document[place] for score in by_document.values())
