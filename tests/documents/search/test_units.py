from __future__ import annotations

from itertools import pairwise

from agentctl.documents.search.units import CHUNK_TOKENS, find_lines, find_parts, to_chunk
from agentctl.domain.document_hit import Chunk
from agentctl.domain.tokens import estimate_tokens


def chunks_of(content: str) -> list[Chunk]:
    lines = find_lines(content)
    return [to_chunk(content, lines, number, part) for number, part in enumerate(find_parts(content, lines))]


def test_lines_that_hold_something_are_found_where_they_stand() -> None:
    content = "first\n\n  second \r\nthird"
    assert [content[start:end] for start, end in find_lines(content)] == ["first", "  second", "third"]


def test_a_long_line_is_cut_between_sentences_and_nothing_is_lost() -> None:
    content = "A sentence of some words stands here. " * 60 + "这是一个很长的句子。" * 60 + "x" * 1000
    pieces = [content[start:end] for start, end in find_lines(content)]
    assert "".join(pieces) == content
    assert max(map(len, pieces)) <= 400
    assert pieces[0].endswith(". ")


def test_a_chunk_never_goes_across_a_heading_and_knows_those_above_it() -> None:
    found = chunks_of("intro\n# A\none\n## B\ntwo\n# C\nthree")
    assert [each.headings for each in found] == [(), ("A",), ("A", "B"), ("C",)]
    assert [each.ordinal for each in found] == [0, 1, 2, 3]


def test_a_hash_in_code_is_no_heading() -> None:
    assert [each.headings for each in chunks_of("# A\n```\n# comment\n```\nend")] == [("A",)]


def test_chunks_are_about_as_large_as_they_should_be_and_overlap() -> None:
    content = "\n".join(f"Line number {number} says something of interest." for number in range(200))
    found = chunks_of(content)
    sizes = [estimate_tokens(content[each.start : each.end]) for each in found]
    assert all(size <= 1.3 * CHUNK_TOKENS for size in sizes)
    assert all(after.start < before.end for before, after in pairwise(found))
    assert (found[0].start, found[-1].end) == (0, len(content))
