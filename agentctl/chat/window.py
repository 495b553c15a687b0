"""What of a history a model is sent, and what is said of the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agentctl.chat.candidates import Ready
from agentctl.chat.opening import Opening
from agentctl.domain.message import File, Message, Part, Text
from agentctl.domain.value import value
from agentctl.providers.base import Fault, Notice

if TYPE_CHECKING:
    from agentctl.chat.context import Fit


@value
class Sending:
    """The messages of one request; `estimated_input` is 0 where nobody needs to know."""

    messages: tuple[Message, ...]
    estimated_input: int = 0
    notices: tuple[Notice, ...] = ()


class Window:
    """The windows of the models of one run. Nothing is estimated, or loaded for it, before it has to be."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._fitted: Fit | None = None
        self._left_out = 0
        self._said_too_large = False

    def select(self, messages: tuple[Message, ...], ready: Ready) -> Sending:
        """The newest turns that `ready` has room for, with words in place of files that it cannot take."""
        readable = tuple(_without_unreadable(message, ready.inputs) for message in messages)
        if ready.model.model.context_window is None and not self._opening.limits.bounds_requests:
            return Sending(readable)
        return self._send(self._fit(readable, ready), ready)

    def shrink(self, sent: Sending, ready: Ready, fault: Fault) -> Sending | None:
        """Less than `sent`, which was too large for the server; None where nothing can be left out."""
        from agentctl.chat.context import shrink

        smaller = shrink(self._fitted or self._fit(sent.messages, ready), fault.message)
        return None if smaller is None else self._send(smaller, ready)

    def _fit(self, messages: tuple[Message, ...], ready: Ready) -> Fit:
        from agentctl.chat.context import fit

        model = ready.model
        self._fitted = fit(
            messages,
            system=self._opening.system,
            tools=self._opening.toolbox.schemas,
            window=model.model.context_window,
            max_output=model.model.max_output_tokens,
            origin=model.origin,
            earlier=self._fitted,
        )
        return self._fitted

    def _send(self, fitted: Fit, ready: Ready) -> Sending:
        """What is left out is said once, not with every step."""
        name, window = ready.model.reference, ready.model.model.context_window
        notices: list[str] = []
        if fitted.left_out > self._left_out:
            notices.append(f"the {fitted.left_out} oldest messages are left out: {name} has no room for them")
        if fitted.too_large and not self._said_too_large:
            about = f"about {fitted.estimated_input:,} tokens"
            takes = "" if window is None else f", which takes {window:,}"
            notices.append(f"this message alone ({about}) may not fit {name}{takes}")
        self._left_out = max(self._left_out, fitted.left_out)
        self._said_too_large = self._said_too_large or fitted.too_large
        notes = tuple(Notice("context", notice) for notice in notices)
        return Sending(fitted.messages, fitted.estimated_input, notes)


def _without_unreadable(message: Message, inputs: frozenset[str]) -> Message:
    """`message` with words in place of the files that the model cannot take."""
    if all(file.kind in inputs for file in message.files):
        return message
    parts: list[Part] = [
        Text(f"[{part.name} ({part.media_type}) was attached here, but this model cannot read it]\n")
        if isinstance(part, File) and part.kind not in inputs
        else part
        for part in message.parts
    ]
    return replace(message, parts=tuple(parts))
