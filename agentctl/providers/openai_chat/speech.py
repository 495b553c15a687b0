"""Text and reasoning of a Chat Completions answer, which may stand in each other's place."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from agentctl.providers.wire.speech import Kind, Speech

if TYPE_CHECKING:
    from agentctl.providers.openai_chat.lenient import LenientText
    from agentctl.providers.openai_chat.thinking import ThinkSplitter


class ChatSpeech(Speech):
    """Collects deltas; takes reasoning (`think_tags`) and calls (`lenient_names`) out of the text.

    `calls` are the tool calls that stood in the text, after `close`.
    """

    def __init__(self, *, think_tags: bool, lenient_names: Collection[str]) -> None:
        super().__init__()
        self.calls: list[dict[str, Any]] = []
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

    def close(self) -> None:
        """Let out what was held back."""
        self.emit("reasoning", self._thought_mender.close())
        self._sort(self._text_mender.close())
        if self._splitter:
            for kind, text in self._splitter.close():
                self._say_or_think(kind, text)
        if self._lenient:
            text, self.calls = self._lenient.close()
            self.emit("text", text)

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
        self.emit(kind, self._lenient.feed(text) if self._lenient and kind == "text" else text)
