"""Cuts text in any script into the terms that documents are found by.

Words lose capitals, widths and accents and are stemmed. Scripts without spaces between words become pairs of
neighbouring characters, which find what a dictionary would (Nie and Ren 1999).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from agentctl.documents.search.stemmer import stem
from agentctl.documents.search.stop_words import STOP_WORDS

# Kana, Han, Hangul; Thai, Lao, Burmese, Khmer.
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u3005-\u3007"
    "\u3041-\u3096\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# Signs that belong to a word and are no letters to Python: points and vowels of Hebrew, Arabic, India.
_SIGNS = "\u0591-\u05bd\u0610-\u061a\u064b-\u0669\u0670\u0900-\u0963\u0971-\u0de6\u0df2\u0df3"
_TERM = re.compile(rf"[{_UNSPACED}]+|(?:[^\W_{_UNSPACED}]|[{_SIGNS}])+")
_STARTS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
# What is longer is no word; FTS5 would keep it whole in every page of its index.
_LONGEST = 64


def fold(text: str) -> str:
    """`text` without what makes no difference between words: capitals, widths, accents."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)


def find_terms(text: str) -> list[str]:
    """The terms of `text` in their order, stop words left out."""
    return [term for piece in _TERM.findall(fold(text)) for term in _cut(piece)]


def find_words(text: str) -> list[tuple[int, int]]:
    """Where the words of `text` stand, before any folding; an unspaced run is one word."""
    return [match.span() for match in _TERM.finditer(text)]


def is_unspaced(piece: str) -> bool:
    """Whether `piece` begins in a script without spaces between words."""
    return _STARTS_UNSPACED.match(piece) is not None


def _cut(piece: str) -> Iterator[str]:
    if not is_unspaced(piece):
        if piece not in STOP_WORDS:
            yield stem(piece[:_LONGEST])
        return
    for at in range(max(1, len(piece) - 1)):
        yield piece[at : at + 2]
