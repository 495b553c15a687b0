"""Takes known secrets out of what is stored, sent or recorded, wherever they stand in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

BLANK = "***"
# Shorter ones would blank ordinary words, and are no secrets.
SHORTEST = 16


class Blanks:
    """Remembers secrets and blanks them."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._forms: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self.learn(secrets)

    def learn(self, secrets: Iterable[str]) -> None:
        """Blank these from now on, also as they stand in JSON and in URLs."""
        for secret in secrets:
            if len(secret) >= SHORTEST:
                self._forms |= {secret, json.dumps(secret)[1:-1], quote(secret, safe="")}
        longest_first = sorted(self._forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def blank(self, value: Any) -> Any:
        """A JSON value without secrets, in names as well."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self._pattern.sub(BLANK, value)
        if isinstance(value, Mapping):
            return {self.blank(name): self.blank(item) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.blank(item) for item in value]
        return value

    def holds(self, value: Any) -> bool:
        """Whether a secret stands anywhere in a JSON value."""
        if self._pattern is None:
            return False
        if isinstance(value, str):
            return self._pattern.search(value) is not None
        if isinstance(value, Mapping):
            return any(self.holds(name) or self.holds(item) for name, item in value.items())
        return isinstance(value, (list, tuple)) and any(self.holds(item) for item in value)

    def blank_pieces(self, pieces: Sequence[bytes]) -> list[bytes]:
        """The pieces of one text without secrets, as many as before; a secret may lie across several."""
        if self._pattern is None:
            return list(pieces)
        whole = b"".join(pieces).decode("latin-1")
        spans = [match.span() for match in self._pattern.finditer(whole)]
        if not spans:
            return list(pieces)
        left, start = [], 0
        for piece in pieces:
            left.append(_cut(whole, start, start + len(piece), spans).encode("latin-1"))
            start += len(piece)
        return left


def _cut(text: str, start: int, end: int, spans: Iterable[tuple[int, int]]) -> str:
    """`text[start:end]` without the spans; the mark stands in the piece in which a span begins."""
    kept, position = [], start
    for first, last in spans:
        if last <= start or first >= end:
            continue
        kept.append(text[position : max(first, position)])
        kept.append(BLANK if first >= start else "")
        position = max(position, last)
    kept.append(text[position:end] if position < end else "")
    return "".join(kept)
