"""The output items of one answer, told apart in events that name them in many ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.providers.openai_responses.item import OutputItem, as_text


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
        item_id, call_id = as_text(event.get("item_id")), as_text(event.get("call_id"))
        last = self._last
        if last is None or last.kind != kind or item_id not in last.ids:
            self._last = last = self._find(kind, item_id, call_id, event)
        return last.know("", call_id)

    def find_kind(self, event: Mapping[str, Any]) -> str:
        """The type of the item whose id an event names; "" where nobody knows it."""
        item_id = as_text(event.get("item_id"))
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
                # With nothing but a place, what stands there is meant, though it ended.
                candidates = open_ones if item_id or call_id else mine
                open_ones = [item for item in candidates if item.index in (index, None)]
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
    return as_text(entry.get("type")), as_text(entry.get("id")), as_text(entry.get("call_id"))


def _index(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
