"""Learns from what a provider counted in earlier requests how many tokens a history really takes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from agentctl.domain.message import Message

# How far the estimates may be off before the counts of a provider are not believed.
_LEAST_SCALE, _MOST_SCALE = 0.5, 2.0
# Rounded, so that small changes do not move the place where a history is cut.
_SCALE_STEP = 0.05
# A request that grew by less than this share of what was added, or shrank, had lost turns meanwhile.
_GROWN_SHARE = 0.7
_NOISE = 50
# The scale is taken from this many requests, if they grew by enough to tell.
_LATEST = 20
_TELLING_GROWTH = 500


class _Count(NamedTuple):
    """What a provider counted (`input`) in front of the message at `position`, and the estimate of that."""

    position: int
    estimate: int
    input: int


def calibrate(
    messages: Sequence[Message], sizes: Sequence[int], fixed: int, origin: str, room: int | None
) -> tuple[float, int]:
    """How many tokens of the model `origin` an estimated one is, and the tokens of the whole history.

    `sizes` are the estimates of the messages, `fixed` that of all else in a request. `room` (None: unlimited)
    is what a request may have: one that was cut to it says nothing about the whole.
    """
    before = list(accumulate(sizes, initial=fixed))
    counts = [
        _Count(position, before[position], message.usage.input)
        for position, message in enumerate(messages)
        if message.origin == origin and message.usage and message.usage.input
    ]
    if not counts:
        return 1.0, before[-1]
    first, last = counts[0], counts[-1]
    uncut = room is None or first.estimate <= room
    start = _bound(first.input / first.estimate) if uncut else 1.0
    steps = [(new.estimate - old.estimate, new.input - old.input) for old, new in pairwise(counts)]
    grown = [(added, counted) for added, counted in steps if counted >= _GROWN_SHARE * start * added - _NOISE]
    if uncut and len(grown) == len(steps):
        # Nothing was ever left out, so the last count begins with the first message.
        scale = _bound(last.input / last.estimate)
        since = scale * (before[-1] - before[last.position + 1])
        return scale, round(last.input + _kept_output(messages[last.position]) + since)
    scale = _scale_of(grown[-_LATEST:], start)
    return scale, round(scale * before[-1])


def _scale_of(grown: Sequence[tuple[int, int]], start: float) -> float:
    added = sum(step[0] for step in grown)
    return _bound(sum(step[1] for step in grown) / added) if added >= _TELLING_GROWTH else start


def _kept_output(message: Message) -> int:
    """The tokens of an answer that the next request carries: thoughts only where they are sent back."""
    usage = message.usage
    if usage is None:
        return 0
    return usage.output if message.replay else max(0, usage.output - usage.reasoning)


def _bound(scale: float) -> float:
    bounded = min(max(scale, _LEAST_SCALE), _MOST_SCALE)
    return round(bounded / _SCALE_STEP) * _SCALE_STEP
