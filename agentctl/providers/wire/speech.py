"""Text and reasoning of one answer: mended as they arrive, and kept whole."""

from __future__ import annotations

from typing import Literal

from agentctl.domain.surrogates import SurrogateMender
from agentctl.providers.base import Delta

Kind = Literal["text", "reasoning"]


class Speech:
    """Collects deltas; `drain` gives what is new. `spoke` says whether there was a word at all."""

    def __init__(self) -> None:
        self.spoke = False
        self._text_mender = SurrogateMender()
        self._thought_mender = SurrogateMender()
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._new: list[tuple[Kind, str]] = []

    @property
    def text(self) -> str:
        """Everything said so far."""
        return "".join(self._texts)

    @property
    def reasoning(self) -> str:
        """Everything thought so far."""
        return "".join(self._thoughts)

    def say(self, piece: str) -> None:
        """Add a piece of text."""
        self.spoke = True
        self.emit("text", self._text_mender.feed(piece))

    def think(self, piece: str) -> None:
        """Add a piece of reasoning."""
        self.spoke = True
        self.emit("reasoning", self._thought_mender.feed(piece))

    def emit(self, kind: Kind, text: str) -> None:
        """Add text that is ready to be shown."""
        if text:
            (self._texts if kind == "text" else self._thoughts).append(text)
            self._new.append((kind, text))

    def drain(self) -> list[Delta]:
        """The deltas since the last call; neighbours of one kind are one delta."""
        new, self._new = self._new, []
        if len(new) == 1:
            return [Delta(*new[0])]
        deltas: list[Delta] = []
        pieces: list[str] = []
        for position, (kind, text) in enumerate(new):
            pieces.append(text)
            if position + 1 == len(new) or new[position + 1][0] != kind:
                deltas.append(Delta(kind, "".join(pieces)))
                pieces = []
        return deltas

    def close(self) -> None:
        """Let out what was held back."""
        self.emit("reasoning", self._thought_mender.close())
        self.emit("text", self._text_mender.close())
