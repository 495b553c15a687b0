"""A plan: what an apply would create, update and delete, and where keys would be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, NamedTuple

from agentctl.domain.value import value

ChangeKind = Literal["create", "update", "delete"]
Noun = Literal["provider", "model", "tool", "agent", "setting"]


class FieldChange(NamedTuple):
    """One field, as it would stand in YAML; `old` is None in a creation."""

    name: str
    old: Any
    new: Any


@value
class Change:
    """One thing that would change.

    A creation lists the fields that differ from the defaults, an update those that change, a deletion none.
    `note` says what a reader of the file would not expect. `value` is what is stored, None in a deletion.
    """

    kind: ChangeKind
    noun: Noun
    slug: str
    fields: tuple[FieldChange, ...] = ()
    note: str | None = None
    value: Any = field(default=None, repr=False, compare=False)


@value
class KeyRoute:
    """A secret and where requests carry it: `variable` is `NAME` (environment), `key NAME` or `command ...`.

    `provider` is the slug of who sends it, for tools `tool SLUG`. `origin` is scheme, host and port; `is_new`
    says that the database does not hold the pair yet.
    """

    provider: str
    variable: str
    origin: str
    is_new: bool


@value
class Plan:
    """Changes in the order in which they are made. `basis` is the state they were computed from."""

    source: str
    changes: tuple[Change, ...] = ()
    unchanged: int = 0
    key_routes: tuple[KeyRoute, ...] = ()
    basis: Any = field(default=None, repr=False, compare=False)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many of each kind: `create`, `update`, `delete`, `unchanged`."""
        kinds = [change.kind for change in self.changes]
        counted = {kind: kinds.count(kind) for kind in ("create", "update", "delete")}
        return {**counted, "unchanged": self.unchanged}
