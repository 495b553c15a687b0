"""What changes by hand have in common: fields that are taken away, and things that a file declares."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from agentctl.errors import UsageError, did_you_mean

TAKE_OUT = "Take it out"


def take_away(values: dict[str, Any], name: str, fields: Sequence[str], entries: Mapping[str, str]) -> None:
    """Remove one of `fields`, or with `FIELD.ENTRY` one entry of a field that has some.

    `entries` are the fields that have, each with the word that stands for an entry in the hint. Names of
    headers are the same in any case. Raises UsageError.
    """
    field, dot, entry = name.partition(".")
    field = field.replace("-", "_")
    if field not in fields or (dot and field not in entries):
        nested = (f"{each}.{word}" for each, word in entries.items())
        raise UsageError(
            f'--unset: there is no field "{name}" to take away{did_you_mean(field, fields)}',
            hint=f"Fields: {', '.join((*fields, *nested))}.",
        )
    if not dot:
        values.pop(field, None)
        return
    kept = {each: value for each, value in values[field].items() if not _is_same(field, each, entry)}
    if len(kept) == len(values[field]):
        raise UsageError(f'--unset: {field} has no "{entry}"')
    values[field] = kept


def refuse_declared(noun: str, slug: str, source: str | None, what: str = "Change it") -> None:
    """Raise UsageError for what a file declares, as long as there is one: the next apply would set it back.

    `what` is to be done in that file instead.
    """
    if not is_declared(source):
        return
    way = "agentctl apply --prune" if what == TAKE_OUT else "agentctl apply"
    raise UsageError(f"{noun} {slug} is declared in {source}", hint=f"{what} there, then {way}.")


def is_declared(source: str | None) -> bool:
    """Whether there still is a file that declares what has this `source`."""
    return bool(source) and os.path.exists(str(source))


def _is_same(field: str, name: str, wanted: str) -> bool:
    return name.lower() == wanted.lower() if field == "headers" else name == wanted
