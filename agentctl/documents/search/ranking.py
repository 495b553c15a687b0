"""Ranks the documents of a scope by the terms of a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from agentctl.documents.search.candidates import Candidates, choose
from agentctl.documents.search.fusion import explain, fuse
from agentctl.documents.search.needles import Found, find_needles, make_needles
from agentctl.documents.search.query import Query
from agentctl.documents.search.scoring import Corpus, Scores, score_lists
from agentctl.domain.document_hit import ListRank
from agentctl.store.document_scope import DocumentScope


class Near(NamedTuple):
    """How near the best chunk of a document is to a question, by their vectors."""

    score: float
    chunk: int


class Ranked(NamedTuple):
    """A document in its place; its `line` and its chunk (number and `lines`) that fit best, where any do."""

    document_id: str
    score: float
    line: int | None = None
    chunk: int | None = None
    lines: Sequence[int] = ()
    ranks: tuple[ListRank, ...] = ()


def rank(scope: DocumentScope, query: Query, near: Mapping[str, Near], *, explained: bool) -> list[Ranked]:
    """The documents that fit the words of a query, or are among the near ones, best first."""
    candidates = _with_near(scope, choose(scope, query.terms), near)
    needles = make_needles(query.terms, query.wishes)
    found = [find_needles(sheet, needles) for sheet in candidates.sheets]
    # How often words stand side by side is not counted beforehand.
    frequencies = dict(enumerate(candidates.frequencies))
    lists = score_lists(found, needles, Corpus(candidates.size, frequencies))
    if near:
        lists.append(_near_list(found, near))
    return [
        _place(found[place], place, score, lists)._replace(ranks=explain(lists, place) if explained else ())
        for place, score in fuse(lists).items()
    ]


def _with_near(scope: DocumentScope, candidates: Candidates, near: Mapping[str, Near]) -> Candidates:
    missing = near.keys() - {sheet.document_id for sheet in candidates.sheets}
    if not missing:
        return candidates
    return candidates._replace(sheets=[*candidates.sheets, *scope.sheets_of(sorted(missing))])


def _near_list(found: Sequence[Found], near: Mapping[str, Near]) -> Scores:
    places = {
        place: near[each.sheet.document_id]
        for place, each in enumerate(found)
        if each.sheet.document_id in near
    }
    return Scores(
        "vector",
        {place: each.score for place, each in places.items()},
        {place: each.chunk for place, each in places.items()},
    )


def _place(found: Found, place: int, score: float, lists: Sequence[Scores]) -> Ranked:
    units = {each.name: each.units[place] for each in lists if place in each.units}
    chunks = found.sheet.chunks
    chunk = units.get("chunk", units.get("vector"))
    if chunk is not None and chunk >= len(chunks):
        chunk = None
    line = units.get("line")
    if line is None and chunk is not None:
        line = chunks[chunk][0]
    lines_of = () if chunk is None else chunks[chunk]
    return Ranked(found.sheet.document_id, round(score, 6), line, chunk, lines_of)
