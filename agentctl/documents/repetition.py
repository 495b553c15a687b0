"""Keeps agents from remembering one thing twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agentctl.documents.likeness import ALIKE, fold, likeness, runs
from agentctl.documents.shelf import Shelf
from agentctl.domain.document import Document
from agentctl.domain.surrogates import mend

# More than this many near ones are all nearly the same anyway.
_MOST_CANDIDATES = 16


def find_existing(shelf: Shelf, memory: Document, recalled: tuple[str, ...]) -> Document | None:
    """The memory that says all that a new one would: its equal, or one of those just recalled."""
    return shelf.memories.same(memory) or next(_holding(shelf, memory, recalled), None)


def find_similar(shelf: Shelf, memory: Document, sketch: Sequence[int]) -> str | None:
    """The id of the memory that is most alike to a new one with this sketch, if one is alike enough."""
    candidates = shelf.memories.alike(memory, sketch, _MOST_CANDIDATES)
    own = runs(memory.text) if candidates else frozenset()
    ranked = [(likeness(own, runs(each.text)), each.id) for each in candidates]
    score, document_id = max(ranked, default=(0.0, None))
    return document_id if score >= ALIKE else None


def _holding(shelf: Shelf, memory: Document, recalled: tuple[str, ...]) -> Iterator[Document]:
    words = f" {fold(memory.text)} "
    for document_id in recalled:
        document = shelf.documents.get(memory.user_id, mend(document_id))
        if document and not document.archived and words in f" {fold(document.text)} ":
            yield document
