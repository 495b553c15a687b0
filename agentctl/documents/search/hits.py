"""Makes hits of ranked documents: the snippet, the marks, the chunk."""

from __future__ import annotations

from dataclasses import replace

from agentctl.documents.search.query import Query
from agentctl.documents.search.ranking import Ranked
from agentctl.documents.search.snippet import cut_snippet, find_literal
from agentctl.documents.search.units import Part, find_lines, find_parts, to_chunk
from agentctl.domain.document import Document
from agentctl.domain.document_hit import Chunk, Hit


def to_hit(document: Document, ranked: Ranked, query: Query, *, explained: bool) -> Hit:
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
        chunk=_chunk(content, lines, ranked.chunk, at),
        ranks=ranked.ranks if explained else (),
    )


def _chunk(content: str, lines: list[tuple[int, int]], number: int | None, at: int) -> Chunk | None:
    parts = find_parts(content, lines)
    if number is None:
        number = next((each for each, part in enumerate(parts) if _holds(lines, part, at)), None)
    if number is None or number >= len(parts):
        return None
    return to_chunk(content, lines, number, parts[number])


def _holds(lines: list[tuple[int, int]], part: Part, at: int) -> bool:
    return lines[part.first][0] <= at < lines[part.last - 1][1]
