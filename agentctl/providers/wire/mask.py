"""Takes keys out of what servers say: whole, encoded, cut into pieces or masked by the server itself."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

STARS = "***"
# Providers quote a refused key with stars or dots in the middle; its two ends are still not for a log.
_EDGE = r"[^\s\"'`,;(){}<>\[\]]*"
_MASKED = rf"{_EDGE}[*•]{{3,}}{_EDGE}|\w[\w-]*(?:x{{4,}}|X{{4,}}|\.{{3,}}|…)\w[\w-]*"
_SCHEME = r"[A-Za-z]+ (\S+)"
_WORD = r"[A-Za-z0-9_+/=%~-]{4,}"
# A word that shares this many characters with a key is a piece of it; at the key's ends four are enough.
_PIECE = 8
# Nobody's secret: what people write where a server wants any key at all.
_SHORT = 8


class Mask:
    """Knows the secrets of one provider's requests: header values, the scheme before a token left out."""

    def __init__(self, values: Iterable[str]) -> None:
        tokens = (re.sub(rf"{_SCHEME}\Z", r"\1", value.strip()) for value in values)
        self._secrets = {token for token in tokens if token}

    def hide(self, text: str, *, about_keys: bool = False) -> str:
        """`text` with stars for every secret and every piece of one.

        `about_keys` says that the text is about a key, so that what a server masked itself goes as well.
        """
        if about_keys:
            text = re.sub(_MASKED, STARS, text)
        for form in sorted(self._forms(), key=len, reverse=True):
            if len(form) < _SHORT:
                text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(form)}(?![A-Za-z0-9])", STARS, text)
            else:
                text = text.replace(form, STARS)
        return re.sub(_WORD, self._hide_word, text)

    def _forms(self) -> Iterator[str]:
        """Every secret as it is, for a URL, in base64, and in the other case."""
        for secret in self._secrets:
            yield from {secret, quote(secret, safe=""), quote_plus(secret), secret.lower(), secret.upper()}
            if len(secret) >= _SHORT:
                yield from _base64_forms(secret)

    def _hide_word(self, found: re.Match[str]) -> str:
        word = found[0]
        return STARS if any(_is_piece(word, secret) for secret in self._secrets) else word


def _base64_forms(secret: str) -> Iterator[str]:
    """What base64 makes of it wherever it stands among other bytes, without the characters they share."""
    data = secret.encode("utf-8", "replace")
    for shift in range(3):
        first = -(-shift * 8 // 6)
        coded = base64.b64encode(b"\0" * shift + data)
        last = (shift + len(data)) * 8 // 6
        core = coded[first:last].decode()
        yield core
        yield core.replace("+", "-").replace("/", "_")


def _is_piece(word: str, secret: str) -> bool:
    """Whether `word` is one end of the secret, or shares a run of characters with it."""
    if len(secret) < 2 * _SHORT:
        return False
    if secret.startswith(word) or secret.endswith(word):
        return True
    if secret[:_PIECE] in word or secret[-_PIECE:] in word:
        return True
    return any(word[start : start + _PIECE] in secret for start in range(len(word) - _PIECE + 1))
