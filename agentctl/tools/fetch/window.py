"""The part of a long text that fits into what a model reads of one result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_LEAST = 50
# A cut is moved back to the end of a paragraph or line that is at most so near.
_NEAR = 0.2


def fit(data: Mapping[str, Any], text: str, start: int, limit: int, *, more: bool) -> dict[str, Any]:
    """`data` with `text` from `start` on, such that all of it is at most `limit` characters of JSON.

    `truncated` says that there is more behind it, `next_start` where that begins. `more` says that the text
    itself is not whole.
    """
    frame = {**data, "text": "", "truncated": False, "next_start": len(text)}
    room = max(_LEAST, limit - len(json.dumps(frame, ensure_ascii=False)))
    part = _cut(text[start : start + room], room, last=start + room >= len(text))
    end = start + len(part)
    if end < len(text):
        return {**data, "text": part, "truncated": True, "next_start": end}
    return {**data, "text": part, "truncated": more}


def _cut(text: str, room: int, *, last: bool) -> str:
    count = len(text)
    while (size := len(json.dumps(text[:count], ensure_ascii=False)) - 2) > room:
        count = min(count - 1, count * room // size)
    if last and count == len(text):
        return text
    for mark in ("\n\n", "\n", " "):
        place = text.rfind(mark, int(count * (1 - _NEAR)), count)
        if place > 0:
            return text[: place + len(mark)]
    return text[:count]
