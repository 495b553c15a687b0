"""The query language: words, "phrases", -not, tag:, type:, after:, before:; anything else is a word too."""

from __future__ import annotations

import re
import unicodedata
from calendar import timegm
from typing import cast

from agentctl.documents.search.folding import find_terms, fold, is_unspaced
from agentctl.documents.search.stop_words import STOP_WORDS
from agentctl.domain.document import DOCUMENT_TYPES, DocumentType
from agentctl.domain.surrogates import mend
from agentctl.domain.value import value

_TOKEN = re.compile(r'(-?)(?:(tag|type|after|before):)?(?:"([^"]*)"|([^\s"]+)|(?<=:))', re.IGNORECASE)
_DATE = re.compile(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?")
# What can be looked for letter by letter: letters, digits, signs, currencies, emoji, a few marks.
_LITERAL_CLASSES = ("L", "N", "M", "So", "Sc", "Sm")
_LITERAL_MARKS = frozenset("%_&@#§")
_MOST_TERMS = 32
_MOST_PHRASES = 8
_LONGEST_LITERAL = 1_000
_LONGEST = 20_000


@value
class Query:
    """A query that was understood; times are milliseconds UTC, `before` is not included.

    `terms` rank, each once, in their order, and so do `wishes`, phrases beside words. Without words, a
    document must hold every one of `phrases`, and `letters`, those with stop words, letter by letter. It
    never holds one of `excluded`. Phrases are sequences of terms; a term that ends in `*` is the start of
    one. `literal` is looked for letter by letter; None where that would find nothing.
    """

    terms: tuple[str, ...] = ()
    wishes: tuple[tuple[str, ...], ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    letters: tuple[str, ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    tags: tuple[str, ...] = ()
    types: tuple[DocumentType, ...] = ()
    after: int | None = None
    before: int | None = None
    literal: str | None = None

    @property
    def holds_filters(self) -> bool:
        """Whether it says which documents are wanted, other than by what they say."""
        return bool(self.tags or self.types or self.after is not None or self.before is not None)

    @property
    def is_empty(self) -> bool:
        """Whether nothing could be found by it."""
        return not (self.terms or self.phrases or self.letters or self.literal or self.holds_filters)


def parse_query(text: str) -> Query:
    """The query behind any text; nothing is an error."""
    text = mend(text[:_LONGEST]).replace("\0", " ")
    parsed = _Parser()
    for match in _TOKEN.finditer(text):
        parsed.take(match)
    plain = " ".join(parsed.plain)
    # Quotes and operators are no text; a query that has none is looked for as it was written.
    literal = plain if parsed.has_syntax else text.strip()
    return parsed.query(literal if _is_literal(literal) else None)


class _Parser:
    def __init__(self) -> None:
        self.plain: list[str] = []
        self.has_syntax = False
        self._has_words = False
        self._terms: dict[str, None] = {}
        self._phrases: list[tuple[str, ...]] = []
        self._letters: list[str] = []
        self._excluded: list[tuple[str, ...]] = []
        self._tags: list[str] = []
        self._types: list[DocumentType] = []
        self._times: dict[str, int] = {}

    def take(self, match: re.Match[str]) -> None:
        minus, name, quoted, word = match.groups()
        said = quoted if quoted is not None else word or ""
        if name and not minus and (not said or self._filter(name.lower(), said)):
            self.has_syntax = True
            return
        if quoted is None or name:
            said = match[0].replace('"', " ")[len(minus) :]
        is_excluded = minus == "-" and not said.startswith("-")
        self._take_text(said if is_excluded else minus + said, is_excluded, quoted is not None and not name)

    def query(self, literal: str | None) -> Query:
        phrases, letters = tuple(self._phrases[:_MOST_PHRASES]), tuple(self._letters[:_MOST_PHRASES])
        return Query(
            tuple(self._terms)[:_MOST_TERMS],
            phrases if self._has_words else (),
            () if self._has_words else phrases,
            () if self._has_words else letters,
            tuple(self._excluded[:_MOST_TERMS]),
            tuple(self._tags[:_MOST_PHRASES]),
            tuple(dict.fromkeys(self._types)),
            self._times.get("after"),
            self._times.get("before"),
            literal,
        )

    def _take_text(self, said: str, is_excluded: bool, is_phrase: bool) -> None:
        terms = tuple(map(_open, find_terms(said)))
        if is_excluded:
            self.has_syntax = True
            self._excluded += [terms] if terms else []
            return
        self.has_syntax = self.has_syntax or is_phrase
        self._has_words = self._has_words or (bool(terms) and not is_phrase)
        self.plain += said.split()
        self._terms.update(dict.fromkeys(terms))
        if is_phrase and terms:
            self._phrases.append(terms)
        # Stop words have no terms, so that only their letters can tell whether they are there.
        if is_phrase and _is_literal(said) and not STOP_WORDS.isdisjoint(fold(said).split()):
            self._letters.append(" ".join(said.split()))

    def _filter(self, name: str, said: str) -> bool:
        """Whether `name:said` is a filter; if not, it is text."""
        if name == "tag":
            self._tags.append(said.strip())
        elif name == "type" and said.lower() in DOCUMENT_TYPES:
            self._types.append(cast("DocumentType", said.lower()))
        elif name in ("after", "before") and (at := _read_date(said)) is not None:
            self._times[name] = at
        else:
            return False
        return True


def _open(term: str) -> str:
    """One character of a script without spaces is looked for as the start of its pairs."""
    return f"{term}*" if len(term) == 1 and is_unspaced(term) else term


def _read_date(text: str) -> int | None:
    """The first moment of a year, a month or a day, in milliseconds UTC."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    if not (year >= 1970 and 1 <= month <= 12 and 1 <= day <= 31):
        return None
    return timegm((year, month, day, 0, 0, 0)) * 1000


def _is_literal(text: str) -> bool:
    if len(text) > _LONGEST_LITERAL:
        return False
    return any(
        each in _LITERAL_MARKS or unicodedata.category(each).startswith(_LITERAL_CLASSES) for each in text
    )
