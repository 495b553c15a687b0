"""Takes known secrets out of what is stored, sent or recorded, wherever they stand in it."""

from __future__ import annotations

import json
import re
from binascii import b2a_base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, quote_plus

BLANK = "***"
# Shorter ones would blank ordinary words, and are no secrets.
SHORTEST = 16
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_HTML_QUOTES = str.maketrans({'"': "&quot;", "'": "&#x27;"})
_URL_SAFE = str.maketrans("+/", "-_")
_SCHEME = re.compile(r"(?:Basic|Bearer|Token) +", re.IGNORECASE)


class Blanks:
    """Remembers secrets and blanks them."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._forms: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self.learn(secrets)

    def learn(self, secrets: Iterable[str]) -> None:
        """Blank these from now on, also as JSON, URLs, HTML and base64 spell them.

        Of a header such as `Bearer KEY` the key alone is blanked as well.
        """
        for secret in secrets:
            for part in (secret, _SCHEME.sub("", secret, count=1)):
                if len(part) >= SHORTEST:
                    self._forms.update(_spell(part))
        longest_first = sorted(self._forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def blank(self, value: Any) -> Any:
        """A JSON value without secrets, in names as well."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self._pattern.sub(BLANK, value) if self._stands_in(value) else value
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
            return self._stands_in(value)
        if isinstance(value, Mapping):
            return any(self.holds(name) or self.holds(item) for name, item in value.items())
        return isinstance(value, (list, tuple)) and any(self.holds(item) for item in value)

    def _stands_in(self, text: str) -> bool:
        # Much faster than the pattern, which tries each form at each place.
        return any(form in text for form in self._forms)

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


def _spell(secret: str) -> Iterator[str]:
    plain = json.dumps(secret)[1:-1]
    yield from (secret, plain, plain.replace("/", "\\/"), secret.translate(_HTML))
    yield from (secret.translate({**_HTML, **_HTML_QUOTES}), secret.translate({**_HTML, ord('"'): "&quot;"}))
    for quoted in (quote(secret, safe=""), quote_plus(secret)):
        yield from (quoted, re.sub("%..", lambda found: found[0].lower(), quoted))
    data = secret.encode("utf-8", "surrogatepass")
    for before in range(3):
        # Where the secret begins inside of what is encoded, such as `user:secret`, and its neighbours decide
        # on the characters at both ends.
        left, right = -(-before * 8 // 6), (before + len(data)) * 8 // 6
        encoded = b2a_base64(bytes(before) + data).decode()[left:right]
        yield from (encoded, encoded.translate(_URL_SAFE))


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
