"""What a search in documents finds, and why it stands where it does."""

from __future__ import annotations

from typing import Literal

from agentctl.domain.document import Document
from agentctl.domain.value import value

# The lists that a rank is made of; `literal` is what only holds the query letter by letter.
ListName = Literal["document", "chunk", "window", "line", "part", "vector", "literal"]


@value
class ListRank:
    """The place of a document in one list, from 1, and its score there."""

    name: ListName
    rank: int
    score: float


@value
class Chunk:
    """A part of a document: its number from 0, where it stands in the content, the headings above it."""

    ordinal: int
    start: int
    end: int
    headings: tuple[str, ...] = ()


@value
class Hit:
    """A document without content that was found, best first.

    `snippet` is text of the document as one line; `marks` are the places of the found words in it, start and
    end. `chunk` is the part that fits best; None where only title or tags fit. `ranks` is empty unless asked
    for. `score` is 0 for what was found letter by letter alone.
    """

    document: Document
    score: float
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()
    chunk: Chunk | None = None
    ranks: tuple[ListRank, ...] = ()


@value
class SearchPage:
    """Hits from `offset` on; `total` is None unless it was asked for."""

    hits: tuple[Hit, ...]
    has_more: bool
    total: int | None = None
