"""Chooses what of a user's documents is put before a model: pinned ones, then what fits the question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from agentctl.documents.budget import cut_text
from agentctl.domain.document import Document
from agentctl.domain.ids import rfc3339
from agentctl.domain.tokens import estimate_tokens
from agentctl.domain.value import value

# The id, title, date and marks around a piece.
_FRAME_TOKENS = 12
# Passages that only a break between paragraphs keeps apart are neighbours.
_BREAK = 2
# A piece that is cut shorter than this says nothing.
_LEAST_TOKENS = 24


@value
class Passage:
    """A part of a document that was found: `text` stands at `start` to `end` of its content."""

    document: Document
    start: int
    end: int
    text: str


@value
class Piece:
    """What is shown of a document, and why; `tokens` is what it takes with its frame."""

    document: Document
    text: str
    why: Literal["pinned", "relevant"]
    tokens: int
    is_cut: bool = False


@value
class LeftOut:
    """A document that was not shown, or of which a part was not, and the tokens that would have taken."""

    document: Document
    why: Literal["pinned", "relevant"]
    tokens: int


@value
class Context:
    """The pieces in their order, their tokens together, and what was left out for want of room."""

    pieces: tuple[Piece, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int
    budget: int


# Finds passages for a question, best first.
Search = Callable[[str], Iterable[Passage]]


def build_context(pinned: Sequence[Document], search: Search, query: str, budget: int) -> Context:
    """What fits into `budget` tokens: pinned documents, then passages for `query`, neighbours merged.

    `pinned` come with their contents. A document that is shown whole is not shown again in part. The first
    piece that does not fit is cut; the others are left out unless they fit whole. No query, no passages.
    """
    wanted = [_piece(document, document.text, "pinned") for document in pinned]
    shown = {document.id for document in pinned}
    found = merge(passage for passage in search(query) if passage.document.id not in shown) if query else []
    wanted += [_piece(passage.document, passage.text, "relevant") for passage in found]
    pieces: list[Piece] = []
    left_out: list[LeftOut] = []
    left = budget
    for piece in wanted:
        fitting = piece if piece.tokens <= left else _cut(piece, left)
        if fitting is None or (fitting.is_cut and left_out):
            left_out.append(LeftOut(piece.document, piece.why, piece.tokens))
            continue
        if fitting.is_cut:
            left_out.append(LeftOut(piece.document, piece.why, piece.tokens - fitting.tokens))
        pieces.append(fitting)
        left -= fitting.tokens
    return Context(tuple(pieces), tuple(left_out), budget - left, budget)


def merge(passages: Iterable[Passage]) -> list[Passage]:
    """Passages of one document that overlap or touch as one; documents in the order of their best ones."""
    order: dict[str, list[Passage]] = {}
    for passage in passages:
        order.setdefault(passage.document.id, []).append(passage)
    return [merged for found in order.values() for merged in _merge_neighbours(found)]


def _merge_neighbours(passages: Sequence[Passage]) -> list[Passage]:
    best_first = {id(passage): rank for rank, passage in enumerate(passages)}
    groups: list[tuple[int, Passage]] = []
    for passage in sorted(passages, key=lambda each: (each.start, -each.end)):
        rank = best_first[id(passage)]
        if groups and passage.start <= groups[-1][1].end + _BREAK:
            first, before = groups[-1]
            groups[-1] = (min(first, rank), _join(before, passage))
        else:
            groups.append((rank, passage))
    return [passage for _, passage in sorted(groups, key=lambda group: group[0])]


def _join(first: Passage, second: Passage) -> Passage:
    if second.end <= first.end:
        return first
    gap = "\n" * max(0, second.start - first.end)
    text = first.text + gap + second.text[max(0, first.end - second.start) :]
    return Passage(first.document, first.start, second.end, text)


def _piece(document: Document, text: str, why: Literal["pinned", "relevant"]) -> Piece:
    return Piece(document, text, why, _frame(document) + estimate_tokens(text))


def _cut(piece: Piece, left: int) -> Piece | None:
    room = left - _frame(piece.document)
    if room < _LEAST_TOKENS:
        return None
    text = cut_text(piece.text, room)
    tokens = _frame(piece.document) + estimate_tokens(text)
    return Piece(piece.document, text, piece.why, tokens, is_cut=True)


def _frame(document: Document) -> int:
    head = f"{document.id} {document.title} {rfc3339(document.created_at)} {document.origin}"
    return _FRAME_TOKENS + estimate_tokens(head)
