"""Finds the terms of a query in the sheets of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from agentctl.domain.document_sheet import DocumentSheet

# Two words of a question that stand side by side say more than each alone (Metzler and Croft 2005).
_PAIR_WEIGHT = 0.3
_SHORTEST_PART = 3


class Needle(NamedTuple):
    """What is looked for in head and body, with what it weighs; a part may stand within a term."""

    text: str
    part: str
    weight: float = 1.0


class Found(NamedTuple):
    """How often needles, by their number, stand in one document; one that stands nowhere is left out.

    `lines` count by line of the body, `whole` counts body and head, `parts` also what stands within terms.
    `lengths` are the numbers of terms in the lines, `length` that of all.
    """

    sheet: DocumentSheet
    lengths: list[int]
    length: int
    lines: Mapping[int, Mapping[int, int]]
    whole: Mapping[int, int]
    parts: Mapping[int, int]


def make_needles(terms: Sequence[str], wishes: Sequence[Sequence[str]] = ()) -> list[Needle]:
    """The terms, then the pairs of neighbours among them, then the phrases."""
    words = [_needle(term, 1.0) for term in terms]
    pairs = (f"{first} {second}" for first, second in pairwise(terms) if not first.endswith("*"))
    phrases = [_needle(" ".join(phrase), 1.0) for phrase in wishes if len(phrase) > 1]
    return [*words, *(_needle(pair, _PAIR_WEIGHT) for pair in pairs), *phrases]


def find_needles(sheet: DocumentSheet, needles: Sequence[Needle]) -> Found:
    """Where the needles stand in a sheet."""
    body, head = sheet.body.replace("\n", " \n") + " ", sheet.head + " "
    text = f"{head}\n{body}"
    lines, whole, parts = {}, {}, {}
    for number, needle in enumerate(needles):
        if needle.part not in text:
            continue
        inside = text.count(needle.part) if len(needle.part) >= _SHORTEST_PART else 0
        if inside:
            parts[number] = inside
        here = _count_by_line(body, needle.text)
        if here:
            lines[number] = here
        total = sum(here.values()) + head.count(needle.text)
        if total:
            whole[number] = total
    lengths = [line.count(" ") for line in sheet.body.split("\n")]
    return Found(sheet, lengths, sum(lengths) + sheet.head.count(" "), lines, whole, parts)


def _needle(words: str, weight: float) -> Needle:
    part = words.removesuffix("*")
    return Needle(f" {part}" if part != words else f" {words} ", part, weight)


def _count_by_line(body: str, text: str) -> dict[int, int]:
    counts: dict[int, int] = {}
    line = last = 0
    at = body.find(text)
    while at >= 0:
        line += body.count("\n", last, at)
        counts[line] = counts.get(line, 0) + 1
        last = at
        # The space behind a term is also the one before the next.
        at = body.find(text, at + len(text) - 1)
    return counts
