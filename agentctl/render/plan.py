"""A plan as people read it: one line per change, its fields below, and where keys would be sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from agentctl.domain.plan import Change, FieldChange, KeyRoute, Plan
from agentctl.render.controls import show_controls, strip_controls

PLAN_COLUMNS = ("slug", "noun", "change", "fields")
SIGNS = {"create": "+", "update": "~", "delete": "-"}
COLORS = {"create": "32", "update": "33", "delete": "31"}
VALUE_LENGTH = 70


def plan_lines(plan: Plan, *, color: bool) -> Iterator[str]:
    """The plan line by line, with its counts at the end."""
    for change in plan.changes:
        yield from _change_lines(change, color=color)
    for route in plan.key_routes:
        yield _route_line(route)
    if not plan.changes:
        yield f"no changes; {plan.unchanged} unchanged"
        return
    counts = plan.counts
    yield (
        f"{counts['create']} to create, {counts['update']} to update, {counts['delete']} to delete, "
        f"{counts['unchanged']} unchanged"
    )


def plan_rows(plan: Plan) -> list[dict[str, Any]]:
    """The changes as rows for programs."""
    return [
        {
            "slug": change.slug,
            "noun": change.noun,
            "change": change.kind,
            "fields": [{"name": name, "old": old, "new": new} for name, old, new in change.fields],
            "note": change.note,
        }
        for change in plan.changes
    ]


def _change_lines(change: Change, *, color: bool) -> Iterator[str]:
    line = f"{SIGNS[change.kind]} {change.noun} {change.slug}"
    if change.note:
        line += f"  ({strip_controls(change.note)})"
    yield f"\x1b[{COLORS[change.kind]}m{line}\x1b[0m" if color else line
    for field in change.fields:
        yield f"    {_field_text(change, field)}"


def _field_text(change: Change, field: FieldChange) -> str:
    if change.kind == "create":
        return f"{field.name}: {_short(field.new)}"
    if isinstance(field.old, str) and isinstance(field.new, str) and "\n" in field.old + field.new:
        return f"{field.name}: {len(field.old)} -> {len(field.new)} characters, {_difference(field)}"
    return f"{field.name}: {_short(field.old)} -> {_short(field.new)}"


def _difference(field: FieldChange) -> str:
    """The first line that differs, so that an edit in a long prompt can be told from another."""
    old, new = field.old.splitlines(), field.new.splitlines()
    for number, (before, after) in enumerate(zip(old, new, strict=False), start=1):
        if before != after:
            return f"from line {number}: {_short(after)}"
    return f"from line {min(len(old), len(new)) + 1}"


def _route_line(route: KeyRoute) -> str:
    mark = "  (new)" if route.is_new else ""
    return (
        f"key: {show_controls(route.variable)} -> {show_controls(route.origin)}, for {route.provider}{mark}"
    )


def _short(value: Any) -> str:
    text = show_controls(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= VALUE_LENGTH else text[: VALUE_LENGTH - 1] + "…"
