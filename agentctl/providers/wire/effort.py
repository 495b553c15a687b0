"""Fills in how much a model is to think, where its provider wants to be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

EFFORT = "{effort}"
BUDGET = "{budget}"


def fill_places(template: Mapping[str, Any], effort: str | None, budget: int | None) -> dict[str, Any]:
    """`template` with the values `{effort}` and `{budget}` replaced; a place without a value goes.

    A mapping that is empty without them goes too. Providers take one of the two: the budget, which says more,
    beats the effort where the template has a place for both.
    """
    if budget is not None and _has_place(template, BUDGET):
        effort = None
    return _fill(template, {EFFORT: effort, BUDGET: budget})


def _fill(template: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    filled: dict[str, Any] = {}
    for name, value in template.items():
        if isinstance(value, str) and value in known:
            if known[value] is not None:
                filled[name] = known[value]
        elif isinstance(value, Mapping) and value:
            inner = _fill(value, known)
            if inner:
                filled[name] = inner
        else:
            filled[name] = value
    return filled


def _has_place(value: Any, place: str) -> bool:
    if isinstance(value, Mapping):
        return any(_has_place(inner, place) for inner in value.values())
    return bool(value == place)
