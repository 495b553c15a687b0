"""Finds the terms of a query in the sheets of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from agentctl.domain.document_sheet import DocumentSheet

# Two words of a question that stand side by side say more than each alone (Metzler and Croft 2005).
_PAIR_WEIGHT = 0.4
_SHORTEST_PART = 3


class Needle(NamedTuple):
    """What is looked for in a body, with what it weighs; a part may stand within a term."""

    text: str
    weight: float = 1.0


class Found(NamedTuple):
    """Where needles stand in one document: in lines of the body (line to count), in the head, in parts.

    `lengths` are the numbers of terms in the lines, `head_length` that of the head.
    """

    sheet: DocumentSheet
    lengths: list[int]
    head_length: int
    lines: list[dict[int, int]]
    heads: list[int]
    parts: list[int]


def make_needles(terms: Sequence[str]) -> list[Needle]:
    """The terms, then the pairs of neighbours among them."""
    return [
        *(Needle(_framed(term)) for term in terms),
        *(
            Needle(f" {first} {second} ", _PAIR_WEIGHT)
            for first, second in pairwise(terms)
            if first[-1] != "*"
        ),
    ]


def find_needles(sheet: DocumentSheet, needles: Sequence[Needle]) -> Found:
    """Where the needles stand in a sheet."""
    body = sheet.body.replace("\n", " \n") + " "
    head = sheet.head + " "
    breaks = [line.count(" ") for line in sheet.body.split("\n")]
    return Found(
        sheet,
        breaks,
        head.count(" ") - 1,
        [_count_by_line(body, each.text) for each in needles],
        [sum(1 for _ in _places(head, each.text)) for each in needles],
        [_count_parts(body, head, each.text) for each in needles],
    )


def _framed(term: str) -> str:
    return f" {term[:-1]}" if term.endswith("*") else f" {term} "


def _count_by_line(body: str, text: str) -> dict[int, int]:
    counts: dict[int, int] = {}
    line = last = 0
    for at in _places(body, text):
        line += body.count("\n", last, at)
        last = at
        counts[line] = counts.get(line, 0) + 1
    return counts


def _count_parts(body: str, head: str, text: str) -> int:
    part = text.strip()
    return body.count(part) + head.count(part) if len(part) >= _SHORTEST_PART else 0


def _places(body: str, text: str) -> Iterator[int]:
    at = body.find(text)
    while at >= 0:
        yield at
        # The space behind a term is also the one before the next.
        at = body.find(text, at + len(text) - 1)
