"""Makes hits of ranked documents: the snippet, the marks, the chunk."""

from __future__ import annotations

from dataclasses import replace

from agentctl.documents.search.query import Query
from agentctl.documents.search.ranking import Ranked
from agentctl.documents.search.snippet import cut_snippet, find_literal
from agentctl.documents.search.units import Part, Span, find_lines, find_parts, to_chunk
from agentctl.domain.document import Document
from agentctl.domain.document_hit import Chunk, Hit


def to_hit(document: Document, ranked: Ranked, query: Query) -> Hit:
    """The hit for a document with its content."""
    content = document.text
    lines = find_lines(content)
    at = 0
    if ranked.line is not None and ranked.line < len(lines):
        at = lines[ranked.line][0]
    elif query.literal:
        place = find_literal(content, query.literal)
        at = max((start for start, _ in lines if start <= place), default=0)
    snippet = cut_snippet(content, at, frozenset(query.terms), query.literal)
    return Hit(
        document=replace(document, content=None),
        score=ranked.score,
        snippet=snippet.text,
        marks=snippet.marks,
        chunk=_chunk(content, lines, ranked, at),
        ranks=ranked.ranks,
    )


def _chunk(content: str, lines: list[Span], ranked: Ranked, at: int) -> Chunk | None:
    if ranked.chunk is not None:
        first, last, *headings = ranked.lines
        known = Part(first, last, tuple(headings))
        return to_chunk(content, lines, ranked.chunk, known) if last <= len(lines) else None
    parts = enumerate(find_parts(content, lines))
    holding = ((n, part) for n, part in parts if lines[part.first][0] <= at < lines[part.last - 1][1])
    number, part = next(holding, (0, None))
    return to_chunk(content, lines, number, part) if part else None
