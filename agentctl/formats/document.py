"""What a reader of YAML hands out: plain values, where each of them stood, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentctl.errors import ConfigError

# A place is one number: line and column (from 0) side by side. Unlike pairs, or the marks of PyYAML, numbers
# cost the garbage collector nothing, and a document has tens of thousands of them. No line has more columns.
COLUMN_BITS = 20


def unpack(place: int) -> tuple[int, int]:
    """Line and column, from 1."""
    return (place >> COLUMN_BITS) + 1, (place & ((1 << COLUMN_BITS) - 1)) + 1


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong in one file; line and column count from 1."""

    name: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.name}:{self.line}:{self.column}: {self.message}"


@dataclass(slots=True)
class Places:
    """Where a container started, where its keys stood (mappings only), and where its values did."""

    start: int
    keys: Mapping[str, int]
    values: Mapping[str, int] | Sequence[int]


@dataclass(frozen=True, slots=True)
class Document:
    """`value` is plain data (dict with text keys, list, str, int, float, bool, None).

    `faults` are what no reader can accept (a key given twice, a tag); `surprises` are plain words that
    other readers of YAML take for something else than text, such as `yes` and `12:34:56`.
    An anchor and its aliases are one and the same object, so a consumer must not change `value`.
    """

    name: str
    value: Any
    start: int
    places: Mapping[int, Places]
    faults: tuple[Problem, ...] = ()
    surprises: tuple[Problem, ...] = ()

    def where(self, path: Iterable[str | int]) -> tuple[int, int]:
        """Line and column (from 1) of the value at `path`, e.g. `("agents", 0, "name")`.

        Where the path leads nowhere: the place of the last thing that exists on it.
        """
        value, place = self.value, self.start
        for step in path:
            places = self.places.get(id(value))
            if places is None:
                break
            try:
                place = places.values[step]  # type: ignore[index]
            except (KeyError, IndexError, TypeError):
                break
            value = value[step]
        return unpack(place)

    def where_key(self, container: Mapping[str, Any], key: str) -> tuple[int, int]:
        """Line and column (from 1) of `key` in a mapping of this document, else of the mapping."""
        places = self.places[id(container)]
        return unpack(places.keys.get(key, places.start))

    def where_value(self, container: Any, key: str | int) -> tuple[int, int]:
        """Line and column (from 1) of the value under `key` in a container of this document."""
        return unpack(self.places[id(container)].values[key])  # type: ignore[index]

    def where_start(self, container: Any) -> tuple[int, int]:
        """Line and column (from 1) at which a container of this document starts."""
        return unpack(self.places[id(container)].start)


def hold(name: str, value: Any) -> Document:
    """Plain data that was read from no file, as a document in which everything stands in one place."""
    places: dict[int, Places] = {}
    todo = [value]
    while todo:
        container = todo.pop()
        if isinstance(container, dict):
            nowhere = dict.fromkeys(container, 0)
            places[id(container)] = Places(0, nowhere, nowhere)
            todo += container.values()
        elif isinstance(container, list):
            places[id(container)] = Places(0, {}, [0] * len(container))
            todo += container
    return Document(name, value, 0, places)


def as_error(problems: Sequence[Problem], what: str) -> ConfigError:
    """One error for all `problems` (at least one), in the order of their places."""
    lines = [str(problem) for problem in sorted(set(problems))]
    message = lines[0] if len(lines) == 1 else f"{len(lines)} problems in {what}"
    return ConfigError(message, problems=lines)
