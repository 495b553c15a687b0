"""Counts what a text is made of: bytes, characters as computers and as people see them, words."""

from __future__ import annotations

import re
import unicodedata

# Scripts written without spaces between words: each character counts as one, as word processors do it.
_SINGLE = "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
_SINGLE += "\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_SINGLE}]|[^\W{_SINGLE}]+(?:['’.\-][^\W{_SINGLE}]+)*")

_JOINER = "\u200d"
_EXTENDING = frozenset("\u200c\u200d\ufe0f\ufe0e\u20e3")
_SPACE = re.compile(r"\s")


def count(text: str) -> dict[str, int]:
    """`characters` are code points, `graphemes` what a reader takes for one (UAX #29, in its main rules)."""
    return {
        "characters": len(text),
        "characters_without_spaces": len(_SPACE.sub("", text)),
        "graphemes": _count_graphemes(text),
        "words": sum(1 for _ in _WORD.finditer(_without_marks(text))),
        "bytes": len(text.encode()),
    }


def _without_marks(text: str) -> str:
    """Accents and vowel signs gone, which are no letters but belong to words."""
    if text.isascii():
        return text
    return "".join(each for each in text if unicodedata.category(each)[0] != "M")


def _count_graphemes(text: str) -> int:
    found = 0
    before = ""
    flags = 0  # regional indicators in a row: two make one flag
    for character in text:
        flags = flags + 1 if "\U0001f1e6" <= character <= "\U0001f1ff" else 0
        if not _joins(before, character, flags):
            found += 1
        before = character
    return found


def _joins(before: str, character: str, flags: int) -> bool:
    """Whether no border lies between the two."""
    if character < "\u0300":
        return character == "\n" and before == "\r"
    if not before or before in "\r\n":
        return False
    if (
        character in _EXTENDING
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
    ):
        return True
    if flags:
        return flags % 2 == 0
    if before == _JOINER:
        return ord(character) >= 0x2190
    return unicodedata.category(character)[0] == "M" or _is_one_syllable(before, character)


def _is_one_syllable(before: str, character: str) -> bool:
    """Whether two parts of Hangul belong to one block."""
    if "\u1160" <= character <= "\u11a7":  # a vowel, after a leading consonant, a vowel or an open syllable
        return "\u1100" <= before <= "\u11a7" or (
            "\uac00" <= before <= "\ud7a3" and not (ord(before) - 0xAC00) % 28
        )
    if "\u11a8" <= character <= "\u11ff":
        return "\u1160" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    return "\u1100" <= character <= "\u115f" and "\u1100" <= before <= "\u115f"
