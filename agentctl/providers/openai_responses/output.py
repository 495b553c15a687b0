"""The output items of one answer, put together from events that name them in many ways."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
        self.name = _text(entry.get("name")) or self.name
        self.phase = _text(entry.get("phase")) or self.phase
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
        self._said.setdefault(part[:2], []).append(part.text)

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


class Output:
    """All items of one answer.

    An item is known by its id, by the id of its call, or by its place; servers leave out any of these, give
    every event another id, or give several items one place.
    """

    def __init__(self) -> None:
        self.items: list[OutputItem] = []
        self._last: OutputItem | None = None

    def __iter__(self) -> Iterator[OutputItem]:
        """The items in the order of the answer."""
        return iter(sorted(self.items, key=lambda item: -1 if item.index is None else item.index))

    def find(self, kind: str, event: Mapping[str, Any]) -> OutputItem:
        """The item that an event speaks of; a new one where none of this kind fits."""
        item_id, last = _text(event.get("item_id")), self._last
        if last is None or last.kind != kind or item_id not in last.ids:
            self._last = last = self._find(kind, item_id, _text(event.get("call_id")), event)
        return last

    def find_kind(self, item_id: Any) -> str:
        """The type of the item with this id; "" where nobody knows it."""
        return next((item.kind for item in self.items if item_id in item.ids), "")

    def take(self, entry: Mapping[str, Any], event: Mapping[str, Any], *, opens: bool) -> OutputItem:
        """The item behind an `item` object: known already, or new. `opens` says that it begins here."""
        kind, item_id, call_id = _name(entry)
        return self._find(kind, item_id, call_id, event, opens=opens).learn(entry)

    def match(self, entries: list[Mapping[str, Any]]) -> list[tuple[OutputItem, Mapping[str, Any]]]:
        """The items behind the `output` of a whole response, in its order."""
        pairs: list[tuple[OutputItem, Mapping[str, Any]]] = []
        for place, entry in enumerate(entries):
            left = [item for item in self.items if all(item is not known for known, _ in pairs)]
            kind, item_id, call_id = _name(entry)
            item = _choose(left, entry, place) or self._open(kind, place)
            item.index = place if item.index is None else item.index
            pairs.append((item.know(item_id, call_id).learn(entry), entry))
        return pairs

    def _find(
        self, kind: str, item_id: str, call_id: str, event: Mapping[str, Any], *, opens: bool = False
    ) -> OutputItem:
        index = _index(event.get("output_index"))
        # The newest first: ids may come again.
        mine = [item for item in reversed(self.items) if item.kind == kind]
        found = _find_named(mine, item_id, call_id)
        if found is None and not opens:
            open_ones = [item for item in mine if not item.whole and not (call_id and item.call_id)]
            if index is not None:
                open_ones = [item for item in open_ones if item.index in (index, None)]
            elif kind == "function_call" and (item_id or call_id):
                # Nothing but a new id: pieces of two calls must never be mixed.
                open_ones = [item for item in open_ones if not item.ids]
            found = open_ones[0] if open_ones else None
        return (found or self._open(kind, index)).know(item_id, call_id)

    def _open(self, kind: str, index: int | None) -> OutputItem:
        item = OutputItem(kind, index)
        self.items.append(item)
        return item


def _choose(items: list[OutputItem], entry: Mapping[str, Any], place: int) -> OutputItem | None:
    """The item among `items` that an entry at `place` of a whole response is, None where it is a new one."""
    kind, item_id, call_id = _name(entry)
    mine = [item for item in items if item.kind == kind]
    found = _find_named(mine, item_id, call_id)
    if found:
        return found
    # Ids that change on the way leave the place, else the order.
    fitting = [item for item in mine if not (call_id and item.call_id)]
    return next((item for item in fitting if item.index == place), fitting[0] if fitting else None)


def _find_named(items: list[OutputItem], item_id: str, call_id: str) -> OutputItem | None:
    found = next((item for item in items if item_id in item.ids), None) if item_id else None
    if found is None and call_id:
        found = next((item for item in items if item.call_id == call_id), None)
    return found


def _name(entry: Mapping[str, Any]) -> tuple[str, str, str]:
    """The type, id and call id of an `item` object."""
    return _text(entry.get("type")), _text(entry.get("id")), _text(entry.get("call_id"))


def _index(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
