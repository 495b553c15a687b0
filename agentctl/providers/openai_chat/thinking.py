"""Takes reasoning that stands in the text, between `<think>` and `</think>`, out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

Kind = Literal["text", "reasoning"]

_TAG = r"</?think>"
_LONGEST_TAG = len("</think>")


class ThinkSplitter:
    """Splits a stream of text into reasoning and text; white space next to a tag goes with the tag.

    Chat templates often put `<think>` into the prompt, so that only `</think>` arrives. Until one of the two
    was seen nobody can know what a text is, and it is held back.
    """

    def __init__(self) -> None:
        self._state: Literal["unknown", "text", "reasoning"] = "unknown"
        self._held: list[str] = []
        self._open_tag = ""
        self._trim = False

    def feed(self, piece: str) -> list[tuple[Kind, str]]:
        """What can be told apart after `piece`."""
        parts: list[tuple[Kind, str]] = []
        for token in self._cut(piece):
            if token == "<think>":
                parts += self._switch("text", "reasoning")
            elif token == "</think>":
                parts += self._switch("reasoning", "text")
            else:
                parts += self._take(token)
        return [part for part in parts if part[1]]

    def close(self) -> list[tuple[Kind, str]]:
        """The end of the text; what was held back is text, for no tag came."""
        parts = self._take(self._open_tag)
        self._open_tag = ""
        held = "".join(self._held)
        self._held = []
        if self._state != "reasoning":
            parts.append(("text", held))
        return [part for part in parts if part[1]]

    def _cut(self, piece: str) -> Iterator[str]:
        """Tags and the text between them; what may be the start of a tag waits for the next piece."""
        piece = self._open_tag + piece
        position = 0
        for match in re.finditer(_TAG, piece):
            yield piece[position : match.start()]
            yield match[0]
            position = match.end()
        rest = piece[position:]
        start = rest.rfind("<", max(0, len(rest) - _LONGEST_TAG))
        waits = start >= 0 and any(tag.startswith(rest[start:]) for tag in ("<think>", "</think>"))
        self._open_tag = rest[start:] if waits else ""
        yield rest[:start] if waits else rest

    def _switch(self, before: Kind, after: Kind) -> list[tuple[Kind, str]]:
        """A tag: what was held belongs to `before`, what follows to `after`."""
        held = "".join(self._held)
        parts: list[tuple[Kind, str]] = []
        if self._state == "unknown":
            parts.append((before, held.strip() if before == "reasoning" else held))
        self._held = []
        self._state = after
        self._trim = True
        return parts

    def _take(self, text: str) -> list[tuple[Kind, str]]:
        if self._trim:
            text = text.lstrip()
            self._trim = not text
        if self._state == "unknown":
            self._held.append(text)
            return []
        if self._state == "text":
            return [("text", text)]
        # White space before `</think>` is not worth showing, so it waits for what follows.
        body = text.rstrip()
        if not body:
            self._held.append(text)
            return []
        body = "".join(self._held) + body
        self._held = [text[len(text.rstrip()) :]]
        return [("reasoning", body)]
