"""Sorts lines in the orders that people expect."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from decimal import Decimal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

_PIECES = re.compile(r"([0-9]+)")
_NUMBER = re.compile(
    r"(?:(?<![\w.])[-+−])?(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+|(?=\.[0-9]))(?:\.[0-9]+)?"
    r"(?:[eE][-+]?[0-9]{1,3}(?![0-9]))?"
)


def sort(lines: Sequence[str], order: str, *, reverse: bool) -> list[str]:
    """The lines in `order`: natural, numeric or text."""
    counts = Counter(lines)  # of many short lines most are equal, and a key is what takes time
    ordered = sorted(counts, key=KEYS[order], reverse=reverse)
    return [line for line in ordered for _ in range(counts[line])]


def natural(line: str) -> tuple[Any, ...]:
    """Numbers by size, the rest without regard to case and accents; which decide between what is left."""
    pieces = _PIECES.split(_fold(line))
    # The longer of two numbers without leading zeros is the larger one: no number is too long to compare.
    numbers = [(len(digits.lstrip("0")), digits.lstrip("0")) for digits in pieces[1::2]]
    return (*_interleave(pieces[::2], numbers), (line,))


def numeric(line: str) -> tuple[Any, ...]:
    """By the first number; lines without one come last, in natural order."""
    match = _NUMBER.search(line)
    if match is None:
        return (1, natural(line))
    return (0, Decimal(match[0].replace(",", "").replace("−", "-")), natural(line))


KEYS: Mapping[str, Callable[[str], Any]] = {"natural": natural, "numeric": numeric, "text": str}


def _fold(line: str) -> str:
    if line.isascii():
        return line.lower()
    apart = unicodedata.normalize("NFKD", line)
    return "".join(each for each in apart if not unicodedata.combining(each)).casefold()


def _interleave(texts: list[str], numbers: list[tuple[int, str]]) -> list[tuple[Any, ...]]:
    """Text and numbers in turn, so that text is compared with text and numbers with numbers."""
    found: list[tuple[Any, ...]] = []
    for place, text in enumerate(texts):
        found.append((text,))
        found.extend(numbers[place : place + 1])
    return found
