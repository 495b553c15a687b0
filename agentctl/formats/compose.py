"""From the events of a YAML parser to plain values with their places, refusing what costs too much.

Values are built straight from events: no node tree, so that this is faster than PyYAML's own safe loader
although it keeps a place for everything.
"""

from __future__ import annotations

import re
from typing import Any, Protocol

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from agentctl.formats.document import COLUMN_BITS, Document, Places, Problem, unpack
from agentctl.formats.scalars import CONSTANTS, FALSE_WORDS, NUMBER_STARTS, TRUE_WORDS, find_surprise, resolve

MAX_DEPTH = 64
# What all aliases of one document may stand for, in nodes and characters: as much as a whole file.
MAX_ALIASED = 1_000_000
# More faults than anybody reads at once.
MAX_FAULTS = 200

_ESCAPED = re.compile("[\0\ud800-\udfff]")
_SPECIAL_WORDS = frozenset(CONSTANTS) | TRUE_WORDS | FALSE_WORDS


class Events(Protocol):
    """The part of PyYAML's parsers that is used: the next event, None or StreamEnd at the end."""

    def get_event(self) -> Any:
        """Take the next event."""
        ...


class RefusedError(Exception):
    """The rest of the document cannot or must not be read; the message is in the faults."""


class Composer:
    """Reads one document from a parser; `compose` gives it, `faults` is what was found wrong so far."""

    def __init__(self, events: Events, name: str) -> None:
        self._next = events.get_event
        self._name = name
        self._places: dict[int, Places] = {}
        self._anchors: dict[str, tuple[Any, int] | None] = {}
        self.faults: list[Problem] = []
        self._surprises: list[Problem] = []
        self._weight = 0
        self._aliased = 0
        self._depth = 0

    def compose(self) -> Document:
        """The document; where reading had to end early, `faults` say why and `value` is None."""
        self._next()
        event = self._next()
        value, start = None, _pack(event.start_mark)
        try:
            if isinstance(event, DocumentStartEvent):
                value = self._value(self._next())
                self._next()
                self._expect_end(self._next())
        except RefusedError:
            value = None
        return Document(self._name, value, start, self._places, tuple(self.faults), tuple(self._surprises))

    def _expect_end(self, event: Any) -> None:
        if event is None or isinstance(event, StreamEndEvent):
            return
        self._fault(event.start_mark, "a second document starts here; one file holds one document")

    def _fault(self, mark: Any, message: str) -> None:
        self.faults.append(Problem(self._name, mark.line + 1, mark.column + 1, message))
        if len(self.faults) >= MAX_FAULTS:
            raise RefusedError

    def _value(self, event: Any) -> Any:
        kind = type(event)
        if kind is ScalarEvent:
            return self._scalar(event)
        if kind is AliasEvent:
            return self._alias(event)
        before = self._weight
        self._weight += 1
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fault(event.start_mark, f"nested more than {MAX_DEPTH} levels deep")
            raise RefusedError
        if event.tag is not None:
            self._refuse_tag(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        value: Any = self._mapping(event) if kind is MappingStartEvent else self._sequence(event)
        self._depth -= 1
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, self._weight - before)
        return value

    def _scalar(self, event: Any) -> Any:
        text = event.value
        value: Any = text
        self._weight += 1 + len(text)
        if event.tag is not None:
            self._refuse_tag(event)
        if event.style:
            if _ESCAPED.search(text):
                self._fault(event.start_mark, "the text holds an escaped NUL or half a surrogate pair")
        elif text in _SPECIAL_WORDS or text[0] in NUMBER_STARTS:
            value = resolve(text)
            surprise = find_surprise(text)
            if surprise and len(self._surprises) < MAX_FAULTS:
                mark = event.start_mark
                self._surprises.append(Problem(self._name, mark.line + 1, mark.column + 1, surprise))
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, 1 + len(text))
        return value

    def _alias(self, event: Any) -> Any:
        if event.anchor not in self._anchors:
            self._fault(event.start_mark, f"unknown alias *{event.anchor}")
            return None
        known = self._anchors[event.anchor]
        if known is None:
            self._fault(event.start_mark, f"alias *{event.anchor} stands inside of what it refers to")
            return None
        value, weight = known
        self._weight += weight
        self._aliased += weight
        if self._aliased > MAX_ALIASED:
            self._fault(event.start_mark, "aliases expand to more than a whole file may hold")
            raise RefusedError
        return value

    def _sequence(self, event: Any) -> list[Any]:
        items: list[Any] = []
        places: list[int] = []
        self._places[id(items)] = Places(_pack(event.start_mark), {}, places)
        following = self._next
        event = following()
        while type(event) is not SequenceEndEvent:
            places.append(_pack(event.start_mark))
            items.append(self._value(event))
            event = following()
        return items

    def _mapping(self, event: Any) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        keys: dict[str, int] = {}
        places: dict[str, int] = {}
        self._places[id(fields)] = Places(_pack(event.start_mark), keys, places)
        following = self._next
        event = following()
        while type(event) is not MappingEndEvent:
            key = self._key(event)
            if key in keys:
                first, _ = unpack(keys[key])
                self._fault(event.start_mark, f'the key "{key}" stands here twice (first in line {first})')
            mark = event.start_mark
            event = following()
            value = self._value(event)
            if key is not None and key not in keys:
                keys[key], places[key], fields[key] = _pack(mark), _pack(event.start_mark), value
            event = following()
        return fields

    def _key(self, event: Any) -> str | None:
        if type(event) in (MappingStartEvent, SequenceStartEvent):
            self._fault(event.start_mark, "a key must be text")
            self._value(event)
            return None
        mark = event.start_mark
        value = self._value(event)
        if type(event) is AliasEvent:
            if isinstance(value, str):
                return value
        elif isinstance(value, str):
            if value == "<<" and not event.style:
                self._fault(mark, "merge keys (<<) are no part of YAML 1.2: write the fields out")
                return None
            return value
        else:
            self._fault(mark, f"the key {event.value or '(empty)'} must be text: quote it")
            return None
        self._fault(mark, "a key must be text")
        return None

    def _refuse_tag(self, event: Any) -> None:
        tag = event.tag.replace("tag:yaml.org,2002:", "!!")
        self._fault(event.start_mark, f"tags are not read ({tag}): leave it out, and quote what is text")


def _pack(mark: Any) -> int:
    place: int = mark.line << COLUMN_BITS | mark.column
    return place
