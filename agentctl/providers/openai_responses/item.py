"""One output item of an answer: what is known of it, and what of it was shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentctl.domain.surrogates import mend
from agentctl.providers.arguments import read_arguments
from agentctl.providers.openai_responses.content import Part


class OutputItem:
    """One item that is still arriving: a message, a function call, or reasoning."""

    def __init__(self, kind: str, index: int | None) -> None:
        self.kind = kind
        self.index = index
        self.ids: set[str] = set()
        self.call_id = ""
        self.name = ""
        self.phase = ""
        self.whole = False
        self.sealed: Mapping[str, Any] | None = None
        self._pieces: list[str] = []
        self._arguments = ""
        self._early = ""
        self._said: dict[tuple[str, int], list[str]] = {}

    def know(self, item_id: str, call_id: str) -> OutputItem:
        """Note under which ids the item goes; returns it."""
        if item_id:
            self.ids.add(item_id)
        self.call_id = self.call_id or call_id
        return self

    def learn(self, entry: Mapping[str, Any]) -> OutputItem:
        """Take what an `item` object says besides its content; returns the item."""
        self.name = as_text(entry.get("name")) or self.name
        self.phase = as_text(entry.get("phase")) or self.phase
        return self

    def add_arguments(self, piece: Any) -> None:
        """Add a piece of a call's arguments."""
        if isinstance(piece, Mapping):
            self.set_arguments(piece)
        elif isinstance(piece, str):
            self._pieces.append(piece)

    def set_arguments(self, arguments: Any, *, early: bool = False) -> None:
        """Take arguments that were sent whole; those that came `early` count only where nothing follows."""
        if isinstance(arguments, Mapping):
            arguments = json.dumps(arguments, ensure_ascii=False)
        if not isinstance(arguments, str) or not arguments:
            return
        if early:
            self._early = arguments
        else:
            self._arguments = arguments

    def raw_arguments(self) -> str:
        """The arguments as text: as they were sent whole, unless only their pieces make an object."""
        pieces = "".join(self._pieces)
        for raw in (self._arguments, pieces):
            if raw and read_arguments(raw) is not None:
                return raw
        return self._arguments or pieces or self._early

    def has_part(self, part: Part) -> bool:
        """Whether something of this part was shown."""
        return part[:2] in self._said

    def add(self, part: Part) -> None:
        """Note that the text of `part` is shown."""
        self.pieces(part).append(part.text)

    def pieces(self, part: Part) -> list[str]:
        """Everything that is shown of a part; what is added there counts as shown."""
        return self._said.setdefault(part[:2], [])

    def find_rest(self, part: Part) -> str:
        """What of a whole part was not shown yet; nothing where something else was: that stays."""
        return _cut(part.text, self._said.get(part[:2], ()))

    def find_rest_of_all(self, parts: Sequence[Part]) -> str:
        """The same for parts that were shown, but perhaps under the index of one of them."""
        kinds = {part.kind for part in parts}
        said = [piece for key in sorted(self._said) if key[0] in kinds for piece in self._said[key]]
        return _cut("".join(part.text for part in parts), said)

    @property
    def text(self) -> str:
        """Everything that was shown of the item."""
        return mend("".join(piece for pieces in self._said.values() for piece in pieces))


def _cut(whole: str, said: Iterable[str]) -> str:
    before, whole = mend("".join(said)), mend(whole)
    return whole[len(before) :] if whole.startswith(before) else ""


def as_text(value: Any) -> str:
    """`value` if it is a text, else ""."""
    return value if isinstance(value, str) else ""
