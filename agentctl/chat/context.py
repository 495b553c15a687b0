"""Fits a history into the model's window: the oldest turns are left out, whole and never in part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from agentctl.chat.calibration import calibrate
from agentctl.chat.overflow import read_overflow
from agentctl.domain.message import Message
from agentctl.domain.tokens import estimate_message, estimate_tokens, estimate_tool
from agentctl.domain.value import value
from agentctl.providers.base import ToolSchema

# Where nobody says how long an answer may be: this much, and never more than this part of the window.
_ANSWER_TOKENS = 8192
_ANSWER_SHARE = 4
# A limit of the model's own may take up to this part of the window.
_MOST_SHARE = 2
# Turns go an eighth of the room at a time: each cut changes the start of the request, which providers cache.
_STEPS = 8
# What is kept of a request that was too large, where the server names no maximum.
_KEPT_SHARE = 0.6


@value
class Measured:
    """A whole history and what it takes: `sizes` are estimates, `scale` makes them tokens of the model.

    `fixed` is the estimate of system prompt and tools, `total` the tokens of it all.
    """

    messages: tuple[Message, ...]
    sizes: tuple[int, ...]
    fixed: int
    scale: float
    total: int


@value
class Fit:
    """What is sent. `left_out` counts the oldest messages that are not.

    `too_large` is True where the current turn alone, of which nothing is ever left out, has no room.
    """

    messages: tuple[Message, ...]
    left_out: int
    estimated_input: int
    too_large: bool
    measured: Measured
    max_output: int | None


def fit(
    messages: tuple[Message, ...],
    *,
    system: str,
    tools: Sequence[ToolSchema],
    window: int | None,
    max_output: int | None,
    origin: str,
    earlier: Fit | None = None,
) -> Fit:
    """The newest turns of a history for which there is room, the current one always.

    A turn is a user message and what follows it. `window` None means unknown: all is sent. `origin` is the
    `provider/model` that will answer; its earlier counts are used. `earlier` is a fit of the same run, so
    that no message is estimated twice.
    """
    room = None if window is None else window - _reserve(window, max_output)
    sizes = _measure(messages, earlier)
    fixed = estimate_tokens(system) + sum(
        estimate_tool(tool.name, tool.description, tool.parameters) for tool in tools
    )
    scale, total = calibrate(messages, sizes, fixed, origin, room)
    measured = Measured(messages, sizes, fixed, scale, total)
    if room is None:
        return Fit(messages, 0, measured.total, too_large=False, measured=measured, max_output=max_output)
    return _cut(measured, room, max_output, least=0)


def shrink(fitted: Fit, said: str) -> Fit | None:
    """Less of the same history, after a server refused it as too large; None where nothing can be left out.

    `said` is the server's message: a maximum that it names is kept to.
    """
    sent = fitted.estimated_input
    overflow = read_overflow(said)
    room = _KEPT_SHARE * sent
    if overflow.maximum is not None:
        fits = overflow.maximum - _reserve(overflow.maximum, fitted.max_output)
        if overflow.used is not None:
            room = min(fits, overflow.used) * sent / overflow.used
        elif sent > overflow.maximum:
            room = fits
    starts = _turns(fitted.measured.messages)
    further = next((start for start in starts if start > fitted.left_out), None)
    if further is None:
        return None
    return _cut(fitted.measured, int(room), fitted.max_output, least=further)


def _reserve(window: int, max_output: int | None) -> int:
    """The part of the window that is kept free for the answer."""
    if max_output is not None:
        return min(max_output, window // _MOST_SHARE)
    return min(_ANSWER_TOKENS, window // _ANSWER_SHARE)


def _measure(messages: tuple[Message, ...], earlier: Fit | None) -> tuple[int, ...]:
    known = zip(earlier.measured.messages, earlier.measured.sizes, strict=True) if earlier else ()
    sizes = {id(message): size for message, size in known}
    return tuple(
        sizes[id(message)] if id(message) in sizes else estimate_message(message) for message in messages
    )


def _cut(measured: Measured, room: int, max_output: int | None, least: int) -> Fit:
    """Leave out the oldest turns until the rest has room, and at least `least` messages."""
    left_out = max(least, _find_start(measured, room))
    rest = measured.total - round(measured.scale * sum(measured.sizes[:left_out]))
    return Fit(measured.messages[left_out:], left_out, rest, rest > room, measured, max_output)


def _find_start(measured: Measured, room: int) -> int:
    """Where the first turn starts that is sent."""
    excess = measured.total - room
    if excess <= 0:
        return 0
    step = max(room // _STEPS, 1)
    to_drop = -(-excess // step) * step
    dropped = list(accumulate(measured.sizes, initial=0))
    starts = _turns(measured.messages)
    enough = (start for start in starts if measured.scale * dropped[start] >= to_drop)
    return next(enough, starts[-1])


def _turns(messages: Sequence[Message]) -> list[int]:
    """Where the turns start; what stands before the first user message belongs to the first turn."""
    return [0, *(n for n, message in enumerate(messages) if n and message.role == "user")]
