"""Whether a text matches a pattern with stars as a whole, in time that grows no faster than the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

_TOKENS = re.compile(r"\*\*|\*|[^*]+")
# About a second of work: "*a*a*a" and a long text of nothing but "a" come to that, patterns of people do not.
MOST_STEPS = 1_000_000

# Places in the text at which a pattern may have got so far, from the first to the last of each span.
Span = tuple[int, int]


def glob_fits(pattern: str, text: str) -> bool | None:
    """Whether all of `text` matches: `*` is anything but `/`, `**` anything, all else is itself.

    None where it takes too long to tell.
    """
    spans: list[Span] = [(0, 0)]
    steps = MOST_STEPS
    for token in _TOKENS.findall(pattern):
        if token == "**":
            spans = [(spans[0][0], len(text))]
        elif token == "*":
            spans = _merge((first, _next_slash(text, last)) for first, last in spans)
        else:
            found = list(islice(_after(text, token, spans), steps))
            steps -= len(found)
            spans = _merge(found)
        if steps <= 0:
            return None
        if not spans:
            return False
    return spans[-1][1] == len(text)


def _next_slash(text: str, start: int) -> int:
    found = text.find("/", start)
    return len(text) if found < 0 else found


def _after(text: str, literal: str, spans: Iterable[Span]) -> Iterator[Span]:
    for first, last in spans:
        found = text.find(literal, first, last + len(literal))
        while found >= 0:
            end = found + len(literal)
            yield end, end
            found = text.find(literal, found + 1, last + len(literal))


def _merge(spans: Iterable[Span]) -> list[Span]:
    """The same places in as few spans as possible; they come in order."""
    merged: list[Span] = []
    for first, last in spans:
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged
