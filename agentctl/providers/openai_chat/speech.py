"""Text and reasoning of one answer: cleaned as they arrive, and kept whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Literal

from agentctl.domain.surrogates import SurrogateMender
from agentctl.providers.base import Delta

if TYPE_CHECKING:
    from agentctl.providers.openai_chat.lenient import LenientText
    from agentctl.providers.openai_chat.thinking import ThinkSplitter

Kind = Literal["text", "reasoning"]


class Speech:
    """Collects deltas; `drain` gives what is new. `spoke` says whether there was a word at all."""

    def __init__(self, *, think_tags: bool, lenient_names: Collection[str]) -> None:
        self.spoke = False
        self._splitter: ThinkSplitter | None = None
        self._lenient: LenientText | None = None
        # Both are rare, and what is not imported costs no start-up.
        if think_tags:
            from agentctl.providers.openai_chat.thinking import ThinkSplitter

            self._splitter = ThinkSplitter()
        if lenient_names:
            from agentctl.providers.openai_chat.lenient import LenientText

            self._lenient = LenientText(lenient_names)
        self._plain = not (self._splitter or self._lenient)
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

    def take_content(self, content: Any) -> None:
        """Take `content`: text, or a list of blocks as Mistral sends them."""
        if isinstance(content, str):
            if content:
                self.say(content)
        elif isinstance(content, list):
            for block in content:
                self._take_block(block)

    def say(self, piece: str) -> None:
        """Add a piece of text."""
        self.spoke = True
        piece = self._text_mender.feed(piece)
        if self._plain and piece:
            self._texts.append(piece)
            self._new.append(("text", piece))
        elif piece:
            self._sort(piece)

    def think(self, piece: str) -> None:
        """Add a piece of reasoning."""
        self.spoke = True
        self._emit("reasoning", self._thought_mender.feed(piece))

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

    def close(self) -> list[dict[str, Any]]:
        """Let out what was held back; returns the tool calls that stood in the text."""
        self._emit("reasoning", self._thought_mender.close())
        self._sort(self._text_mender.close())
        if self._splitter:
            for kind, text in self._splitter.close():
                self._say_or_think(kind, text)
        if not self._lenient:
            return []
        text, calls = self._lenient.close()
        self._emit("text", text)
        return calls

    def _take_block(self, block: Any) -> None:
        if not isinstance(block, Mapping):
            return
        text, thinking = block.get("text"), block.get("thinking")
        if isinstance(text, str) and block.get("type") in (None, "text", "output_text"):
            self.take_content(text)
        elif isinstance(thinking, str):
            self.think(thinking)
        elif isinstance(thinking, list):
            for part in thinking:
                if isinstance(part, Mapping) and isinstance(part.get("text"), str):
                    self.think(part["text"])

    def _sort(self, piece: str) -> None:
        """Tell text from reasoning where both come in one stream."""
        if self._splitter is None:
            self._say_or_think("text", piece)
            return
        for kind, text in self._splitter.feed(piece):
            self._say_or_think(kind, text)

    def _say_or_think(self, kind: Kind, text: str) -> None:
        self._emit(kind, self._lenient.feed(text) if self._lenient and kind == "text" else text)

    def _emit(self, kind: Kind, text: str) -> None:
        if text:
            (self._texts if kind == "text" else self._thoughts).append(text)
            self._new.append((kind, text))
