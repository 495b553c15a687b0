"""Collects `reasoning_details`, which must go back unchanged to the provider that made them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TEXTS = ("text", "summary", "data")


class ReasoningDetails:
    """Puts the details of one answer together: neighbours with the same type and index are one."""

    def __init__(self) -> None:
        self._items: list[dict[str, Any]] = []
        self._pieces: list[dict[str, list[str]]] = []

    def take(self, fragments: Any) -> str:
        """Add the fragments of one delta; returns the readable words among them."""
        words = ""
        for fragment in fragments if isinstance(fragments, list) else ():
            if isinstance(fragment, Mapping):
                self._add(fragment)
                words += _text(fragment.get("text")) or _text(fragment.get("summary"))
        return words

    def close(self) -> list[dict[str, Any]]:
        """The whole details, in order."""
        return [
            {**item, **{key: "".join(texts) for key, texts in pieces.items()}}
            for item, pieces in zip(self._items, self._pieces, strict=True)
        ]

    def _add(self, fragment: Mapping[str, Any]) -> None:
        if not (self._items and _belongs(self._items[-1], fragment)):
            self._items.append({})
            self._pieces.append({})
        item, pieces = self._items[-1], self._pieces[-1]
        for key, value in fragment.items():
            if key in _TEXTS and isinstance(value, str):
                pieces.setdefault(key, []).append(value)
                item.setdefault(key, "")
            elif value is not None or key not in item:
                item[key] = value


def _belongs(item: Mapping[str, Any], fragment: Mapping[str, Any]) -> bool:
    """Whether `fragment` continues `item`: same type and index, no other id."""
    if fragment.get("index") is None or fragment.get("index") != item.get("index"):
        return False
    if fragment.get("type") != item.get("type"):
        return False
    ids = {item.get("id"), fragment.get("id")} - {None}
    return len(ids) < 2


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
