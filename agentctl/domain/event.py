"""One event of a run: live, attached and replayed runs all speak in these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

# Kinds of warnings that only tell what is being waited for; nothing about them is wrong.
WAITS = frozenset({"loading", "waiting"})


class Span(NamedTuple):
    """The deltas of one type that a message was made of: their first and last numbers."""

    type: str
    first: int
    last: int


class Event(NamedTuple):
    """`type` is a name of the event schema, `seq` counts from 1 in a run, `ts` is in milliseconds.

    A tuple, because a long answer makes thousands of them.
    """

    type: str
    data: Mapping[str, Any]
    seq: int
    ts: int
