"""Chooses the documents that are looked at closely: all of a small scope, the likeliest of a large one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agentctl.domain.document_sheet import DocumentSheet
from agentctl.store.document_scope import DocumentScope

# A scope of so many documents is looked at whole; of a larger one, so many documents.
SMALL = 64
MOST = 40
# A word of more documents tells little; counting and ranking stop there, so that a search in many documents
# takes no longer than one in some.
_COMMON = 1_000
# Characters of terms that one search reads: fewer documents are looked at where they are long.
_MOST_TEXT = 1_000_000


class Candidates(NamedTuple):
    """Sheets, how many documents they were chosen from, and in how many of those each term stands.

    `frequencies` are empty where the sheets are all there is.
    """

    sheets: list[DocumentSheet]
    size: int
    frequencies: tuple[int, ...]


def choose(scope: DocumentScope, terms: Sequence[str]) -> Candidates:
    """The documents of the scope that may hold the terms best."""
    few = scope.few(SMALL)
    if few is not None:
        return Candidates(few, len(few), ())
    frequency = {term: scope.frequency(term, _COMMON) for term in terms}
    numbers = _likeliest(scope, frequency)
    sheets = _up_to_size(scope.sheets(numbers))
    return Candidates(sheets, scope.count(), tuple(frequency[term] for term in terms))


def _likeliest(scope: DocumentScope, frequency: dict[str, int]) -> list[int]:
    """Numbers of documents: those with rare words ranked, then the newest ones with common words."""
    known = sorted((term for term in frequency if frequency[term]), key=frequency.__getitem__)
    rare, total = [], 0
    for term in known:
        total += frequency[term]
        if total > _COMMON or frequency[term] >= _COMMON:
            break
        rare.append(term)
    common = known[len(rare) :]
    numbers = dict.fromkeys(scope.ranked(rare, MOST) if rare else ())
    if common and not rare:
        numbers.update(dict.fromkeys(scope.newest_heads(common, MOST // 2)))
    if common and len(numbers) < MOST:
        numbers.update(dict.fromkeys(scope.newest(known, MOST, every=True)))
        numbers.update(dict.fromkeys(scope.newest(common, MOST)))
    if len(numbers) < MOST:
        numbers.update(dict.fromkeys(scope.holding([term.rstrip("*") for term in frequency], MOST)))
    return list(numbers)[:MOST]


def _up_to_size(sheets: list[DocumentSheet]) -> list[DocumentSheet]:
    size = 0
    for number, sheet in enumerate(sheets):
        size += len(sheet.body)
        if size > _MOST_TEXT:
            return sheets[: number + 1]
    return sheets
