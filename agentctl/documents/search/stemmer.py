"""Takes English words to their stems, as Porter described it (1980), irregular forms by a table."""

from __future__ import annotations

import re
from functools import lru_cache

from agentctl.documents.search.irregular import BASES

_STEP_2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = re.compile(
    r"(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$"
)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of a lower-case ASCII word; what is no such word, or short, comes back as it is."""
    if word in BASES:
        word = BASES[word]
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    for endings in (_STEP_2, _STEP_3):
        word = _replace(word, endings)
    return _tidy(_strip(word))


def _measure(word: str) -> int:
    """How often consonants follow vowels: m of the paper."""
    shape = "".join("v" if _is_vowel(word, at) else "c" for at in range(len(word)))
    return len(re.findall("v+c+", shape))


def _is_vowel(word: str, at: int) -> bool:
    return word[at] in "aeiou" or (word[at] == "y" and at > 0 and not _is_vowel(word, at - 1))


def _has_vowel(word: str) -> bool:
    return any(_is_vowel(word, at) for at in range(len(word)))


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant, where the last is none of w, x, y: *o of the paper."""
    return (
        len(word) >= 3
        and not _is_vowel(word, len(word) - 1)
        and _is_vowel(word, len(word) - 2)
        and not _is_vowel(word, len(word) - 3)
        and word[-1] not in "wxy"
    )


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and _has_vowel(rest):
            return _mend_past(rest)
    return word


def _mend_past(rest: str) -> str:
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and rest[-1] not in "aeioulsz":
        return rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _ends_short(rest) else rest


def _replace(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, instead in endings:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + instead if _measure(rest) else word
    return word


def _strip(word: str) -> str:
    match = _STEP_4.search(word)
    if match and _measure(word[: match.start()]) > 1:
        return word[: match.start()]
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
