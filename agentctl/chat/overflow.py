"""Reads out of a server's complaint how many tokens it takes, and how many the request had."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_NUMBER = r"([1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{2,8})"
_ALONE = rf"(?<![\w.]){_NUMBER}(?![\w.]*\d)"
# In this order: `208310 tokens > 200000`, `32768 maximum`, `maximum context length is 8192`, `"n_ctx": 4096`.
_MAXIMUM = (
    rf"[<>]=?\s*{_NUMBER}",
    rf"{_NUMBER}(?: tokens?)? (?:maximum|max\b|limit)",
    rf"(?:maximum|\bmax\b|limit|n_ctx|context (?:size|length|window)|allowed)\D{{0,50}}{_NUMBER}",
)
# `5000 in the messages, 4000 in the completion`, `190000 + 20000 > 200000`, `Prompt contains 40000 tokens`.
_INPUT = (
    rf"{_NUMBER}(?: tokens?)? (?:in|of|from) (?:the |your )?(?:messages|prompt|input)",
    rf"{_NUMBER} \+ {_NUMBER} [<>]",
    rf"(?:prompt contains|prompt[ _]tokens|prompt is too long)\D{{0,5}}{_NUMBER}",
)


class Overflow(NamedTuple):
    """What the server said: the most tokens it takes, and those of the request; None where it did not say."""

    maximum: int | None
    used: int | None


def read_overflow(said: str) -> Overflow:
    """The numbers in a message such as `maximum context length is 8192 tokens, you requested 9000`."""
    maximum = _find(_MAXIMUM, said)
    if maximum is None:
        return Overflow(None, None)
    larger = (number for number in map(_read, re.findall(_ALONE, said)) if number > maximum)
    return Overflow(maximum, _find(_INPUT, said) or max(larger, default=None))


def _find(patterns: Sequence[str], said: str) -> int | None:
    matches = (re.search(pattern, said, re.IGNORECASE) for pattern in patterns)
    return next((_read(found[1]) for found in matches if found), None)


def _read(number: str) -> int:
    return int(number.replace(",", ""))
