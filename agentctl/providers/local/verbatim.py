"""Mends what a small model miscopied: an argument that is nearly a piece of the request becomes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

_QUOTED = re.compile(r"""(?<!\w)'([^'\n]+)'(?!\w)|"([^"\n]+)"|`([^`\n]+)`|“([^”\n]+)”|「([^」\n]+)」""")
_BRACKETED = re.compile(r"\{.*\}|\[.*\]", re.DOTALL)
_BLOCK = re.compile(r"<(\w+)>\n(.*)\n</\1>\s*\Z|```\w*\n(.*?)\n```", re.DOTALL)
_AFTER_COLON = re.compile(r"[:：]\s+(\S.*)\Z", re.DOTALL)
_SHORTEST = 4
_LONGEST_COMPARED = 2000
# A copy of this length was cut; the routing schema allows no longer ones.
CUT_LENGTH = 200
_NEAR = 0.8


def mend(arguments: Mapping[str, Any], request: str) -> dict[str, Any]:
    """`arguments` with miscopied text replaced; what stands in the request, or resembles nothing, stays."""
    pieces = list(dict.fromkeys(_pieces(request)))
    return {
        name: _mend(value, request, pieces) if isinstance(value, str) else value
        for name, value in arguments.items()
    }


def _mend(value: str, request: str, pieces: list[str]) -> str:
    if len(value) < _SHORTEST:
        return value
    if len(value) >= CUT_LENGTH:
        return next((piece for piece in pieces if piece.startswith(value)), value)
    if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", request):
        return value
    for piece in pieces:
        # A model that does not find the end of a JSON text runs on.
        if _BRACKETED.fullmatch(piece) and len(piece) >= _SHORTEST and value.startswith(piece):
            return piece
    best = max(pieces, key=lambda piece: _likeness(value, piece), default="")
    return best if _likeness(value, best) >= _NEAR and not _same_words(value, best) else value


def _pieces(request: str) -> Iterator[str]:
    """What a user may have meant literally."""
    for expression in (_QUOTED, _BRACKETED, _BLOCK, _AFTER_COLON):
        for match in expression.finditer(request):
            groups = match.groups() if expression is not _BLOCK else (match[2], match[3])
            yield from (group for group in (groups or (match[0],)) if group)
    for word in request.split():
        yield word.rstrip("?!.,;:？。，！")


def _likeness(value: str, piece: str) -> float:
    """0 to 1; a value that says more than the piece ("7*12.50" and "12.50") was not copied from it."""
    if piece in value or abs(len(value) - len(piece)) > max(len(value), len(piece)) / 3:
        return 0.0
    if len(piece) > _LONGEST_COMPARED:
        return 0.0
    return SequenceMatcher(None, value, piece, autojunk=False).ratio()


def _same_words(value: str, piece: str) -> bool:
    """Whether the two differ in spaces and capitals only, which a model may well improve."""
    return "".join(value.split()).lower() == "".join(piece.split()).lower()
