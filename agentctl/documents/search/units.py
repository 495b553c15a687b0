"""Cuts a document into lines, and lines into chunks: by headings, then by size, with an overlap."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentctl.domain.document_hit import Chunk
from agentctl.domain.tokens import estimate_tokens
from agentctl.domain.value import value

CHUNK_TOKENS = 200
_OVERLAP_TOKENS = 40
# A longer line is cut where a sentence ends, so that a place in it can be told.
_LONG_LINE = 400
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
Span = tuple[int, int]


def find_lines(content: str) -> list[Span]:
    """Where the lines that hold something stand, start and end; long ones in pieces of whole sentences."""
    spans: list[Span] = []
    at = 0
    for line in content.splitlines(keepends=True):
        if line.strip():
            spans += _pieces(content, at, at + len(line.rstrip()))
        at += len(line)
    return spans


@value
class Part:
    """The lines `first` to `last` (not included) of a document, and the lines of the headings above them."""

    first: int
    last: int
    headings: tuple[int, ...]


def find_parts(content: str, lines: list[Span]) -> list[Part]:
    """The chunks of a document as lines, at least one where it has a line; none goes across a heading."""
    return [
        Part(first + start, first + end, headings)
        for first, last, headings in _sections(content, lines)
        for start, end in _by_size(content, lines[first:last])
    ]


def to_chunk(content: str, lines: list[Span], ordinal: int, part: Part) -> Chunk:
    """A part as its readers see it: characters, and the names of headings."""
    names = (_HEADING.match(content[slice(*lines[number])]) for number in part.headings)
    headings = tuple(name[2] for name in names if name)
    return Chunk(ordinal, lines[part.first][0], lines[part.last - 1][1], headings)


def _pieces(content: str, start: int, end: int) -> Iterator[Span]:
    while end - start > _LONG_LINE:
        ends = [match.end() for match in _SENTENCE.finditer(content, start + 1, start + _LONG_LINE)]
        cut = ends[-1] if ends else content.rfind(" ", start + 1, start + _LONG_LINE) + 1
        cut = cut if cut > start else start + _LONG_LINE
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _sections(content: str, lines: list[Span]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    path: list[tuple[int, int]] = []
    begun, is_code = 0, False
    for number, (start, end) in enumerate(lines):
        text = content[start:end]
        if _FENCE.match(text):
            is_code = not is_code
        heading = None if is_code else _HEADING.match(text)
        if heading is None:
            continue
        if number > begun:
            yield begun, number, tuple(line for _, line in path)
        depth = len(heading[1])
        path = [*(each for each in path if each[0] < depth), (depth, number)]
        begun = number
    if begun < len(lines):
        yield begun, len(lines), tuple(line for _, line in path)


def _by_size(content: str, lines: list[Span]) -> Iterator[Span]:
    """Runs of lines of about CHUNK_TOKENS; each begins with what the one before ended with."""
    sizes = [estimate_tokens(content[start:end]) for start, end in lines]
    first = size = 0
    for number, tokens in enumerate(sizes):
        if size and size + tokens > CHUNK_TOKENS:
            yield first, number
            first, size = _overlap(sizes, first, number)
        size += tokens
    yield first, len(lines)


def _overlap(sizes: list[int], first: int, number: int) -> tuple[int, int]:
    size, at = 0, number
    while at - 1 > first and size + sizes[at - 1] <= _OVERLAP_TOKENS:
        at -= 1
        size += sizes[at]
    return at, size
