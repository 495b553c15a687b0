"""Classes of characters, and how many tokens runs of each take in a large vocabulary.

Measured on the samples of tests/domain/token_samples.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

# A class is one letter. For each: tokens of the first character of a run, and of every further one.
PRICES: Mapping[str, tuple[float, float]] = {
    "A": (1.5, 0.2),  # capitals
    "0": (1.0, 1.0),  # digits
    "n": (1.05, 0.05),  # line breaks
    ".": (0.7, 0.2),  # punctuation
    "l": (0.6, 0.6),  # Latin letters with accents
    "r": (0.6, 0.31),  # Cyrillic
    "g": (0.95, 0.95),  # Greek
    "s": (0.45, 0.42),  # Hebrew and Arabic
    "i": (1.15, 1.15),  # Indic scripts
    "t": (0.6, 0.6),  # Thai
    "k": (0.9, 0.75),  # hangul
    "j": (0.66, 0.66),  # kana
    "c": (0.63, 0.63),  # Chinese characters
    "R": (1.9, 1.9),  # rare ones
    "p": (0.9, 0.85),  # punctuation and full-width forms of East Asia
    "o": (1.0, 0.6),  # typographic signs, arrows, boxes, mathematics
    "e": (1.1, 1.1),  # emoji
    "v": (1.1, 1.1),  # marks that join or change what stands before them
    "x": (1.3, 1.3),  # other scripts
    "z": (1.0, 1.0),  # control characters
}
ASCII = {
    **dict.fromkeys(range(32), "z"),
    **dict.fromkeys(range(32, 128), "."),
    **dict.fromkeys(map(ord, "0123456789"), "0"),
    **dict.fromkeys(map(ord, "abcdefghijklmnopqrstuvwxyz"), "a"),
    **dict.fromkeys(map(ord, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "A"),
    **dict.fromkeys(map(ord, "\n\r"), "n"),
    **dict.fromkeys(map(ord, " \t"), " "),
    # Stands for everything beyond ASCII, which is priced apart.
    0x7F: "-",
}
# Where a class starts; it ends where the next one starts. Blocks of https://www.unicode.org/Public/UNIDATA/Blocks.txt
_BLOCKS = (
    (0x80, "z"),
    (0xA0, "o"),
    (0xC0, "l"),
    (0x250, "x"),
    (0x300, "v"),
    (0x370, "g"),
    (0x400, "r"),
    (0x530, "x"),
    (0x590, "s"),
    (0x780, "x"),
    (0x900, "i"),
    (0xE00, "t"),
    (0xE80, "x"),
    (0x1100, "k"),
    (0x1200, "x"),
    (0x1E00, "l"),
    (0x1F00, "g"),
    (0x2000, "o"),
    (0x200B, "v"),
    (0x2010, "o"),
    (0x2600, "e"),
    (0x27C0, "o"),
    (0x2E80, "p"),
    (0x3040, "j"),
    (0x3100, "p"),
    (0x3400, "R"),
    (0x4E00, "c"),
    (0xA000, "x"),
    (0xAC00, "k"),
    (0xD7B0, "x"),
    (0xF900, "c"),
    (0xFB00, "x"),
    (0xFB50, "s"),
    (0xFE00, "v"),
    (0xFE10, "p"),
    (0xFE70, "s"),
    (0xFF00, "p"),
    (0xFFF0, "x"),
    (0x1F000, "e"),
    (0x1F3FB, "v"),
    (0x1F400, "e"),
    (0x1FB00, "x"),
    (0x20000, "R"),
    (0x31350, "x"),
)
_STARTS = [start for start, _ in _BLOCKS]


class Classes(dict[int, str]):
    """Code points beyond ASCII to classes, each looked up once."""

    def __missing__(self, code: int) -> str:
        self[code] = found = " " if code == 32 else _BLOCKS[bisect_right(_STARTS, code) - 1][1]
        return found
