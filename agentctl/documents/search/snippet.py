"""Cuts the place that was found out of a document, and marks the words in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from agentctl.documents.search.folding import find_terms, find_words, is_unspaced
from agentctl.domain.value import value

LENGTH = 200
_BEFORE = 60
# A cut moves back this far to stand between two words.
_WORD_REACH = 24
_SPACES = re.compile(r"\s+")
_JOINER = "\u200d"
Span = tuple[int, int]


@value
class Snippet:
    """One line of text, and where the found words stand in it."""

    text: str
    marks: tuple[Span, ...]


def cut_snippet(content: str, start: int, terms: frozenset[str], literal: str | None) -> Snippet:
    """About LENGTH characters from `start` on, or around the first word found behind it.

    No character is cut apart from its accents, nor an emoji from what it is joined with.
    """
    ahead = content[start : start + 4 * LENGTH]
    # Looked for only where the place that was found is longer than a snippet.
    line = ahead.split("\n", 1)[0]
    first = next(_marks(line, terms, literal), (0, 0))[0] if len(line) > LENGTH else 0
    begin = start if first < LENGTH - _BEFORE else start + first - _BEFORE
    begin = _safe(content, begin)
    end = _safe(content, min(len(content), begin + LENGTH))
    text = _SPACES.sub(" ", content[begin:end]).strip()
    before, after = "…" if content[:begin].strip() else "", "…" if content[end:].strip() else ""
    text = before + text + after
    return Snippet(text, tuple(_joined(_marks(text, terms, literal))))


def find_literal(content: str, literal: str) -> int:
    """Where `literal` stands first, whatever the capitals of ASCII, as LIKE sees it; -1 where it does not."""
    match = re.search(re.escape(literal), content, re.IGNORECASE | re.ASCII)
    return match.start() if match else -1


def _marks(text: str, terms: frozenset[str], literal: str | None) -> Iterator[Span]:
    if literal:
        for match in re.finditer(re.escape(literal), text, re.IGNORECASE | re.ASCII):
            yield match.span()
    for start, end in find_words(text):
        word = text[start:end]
        if not is_unspaced(word):
            # A word that stands for several terms, as one of full-width letters may, is marked by any.
            if not terms.isdisjoint(_terms_of(word)):
                yield start, end
            continue
        for at in range(start, max(start + 1, end - 1)):
            pair = text[at : min(at + 2, end)]
            if not terms.isdisjoint(_terms_of(pair)) or f"{pair[0]}*" in terms:
                yield at, at + len(pair)


@lru_cache(maxsize=1 << 14)
def _terms_of(word: str) -> tuple[str, ...]:
    return tuple(find_terms(word))


def _joined(marks: Iterator[Span]) -> list[Span]:
    """Marks that overlap or touch as one, in order."""
    joined: list[Span] = []
    for start, end in sorted(marks):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _safe(content: str, at: int) -> int:
    """`at`, or a little before it, where a word or at least a character ends."""
    if not 0 < at < len(content):
        return at
    space = content.rfind(" ", max(0, at - _WORD_REACH), at)
    if space > 0:
        return space + 1
    while at > 0 and _joins(content, at):
        at -= 1
    return at


def _joins(content: str, at: int) -> bool:
    """Whether what stands at `at` belongs to the character before it."""
    character, before = content[at], content[at - 1]
    if before == _JOINER or character == _JOINER or "\U0001f3fb" <= character <= "\U0001f3ff":
        return True
    if unicodedata.category(character).startswith("M") or "\u1160" <= character <= "\u11ff":
        return True
    # A flag is two letters: cut between pairs of them only.
    flags = len(content[:at]) - len(content[:at].rstrip("🇦🇧🇨🇩🇪🇫🇬🇭🇮🇯🇰🇱🇲🇳🇴🇵🇶🇷🇸🇹🇺🇻🇼🇽🇾🇿"))
    return "\U0001f1e6" <= character <= "\U0001f1ff" and flags % 2 == 1
