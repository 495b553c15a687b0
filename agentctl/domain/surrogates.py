"""Halves of UTF-16 surrogate pairs: joined where both arrive, replaced where one stays alone."""

from __future__ import annotations


def mend(text: str) -> str:
    """`text` that UTF-8 can encode: pairs joined, lone halves replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


class SurrogateMender:
    """Mends text that arrives in pieces; a first half at the end of a piece waits for the next one."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, piece: str) -> str:
        """What can be shown of everything up to `piece`."""
        if not self._half and piece.isascii():
            return piece
        if self._half:
            piece = self._half + piece
            self._half = ""
        if piece and "\ud800" <= piece[-1] <= "\udbff":
            self._half = piece[-1]
            piece = piece[:-1]
        return mend(piece)

    def close(self) -> str:
        """What waited in vain."""
        left = mend(self._half)
        self._half = ""
        return left
