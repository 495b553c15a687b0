"""A plan as people read it: one line per change, its fields below, and where keys would be sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentctl.domain.plan import Change, KeyRoute, Plan
from agentctl.render.controls import show_controls, strip_controls
from agentctl.render.plan_fields import created_lines, updated_lines

PLAN_COLUMNS = ("slug", "noun", "change", "fields")
SIGNS = {"create": "+", "update": "~", "delete": "-"}
COLORS = {"create": "32", "update": "33", "delete": "31"}


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
    lines_of = created_lines if change.kind == "create" else updated_lines
    for field in change.fields:
        yield from (f"    {line}" for line in lines_of(field))


def _route_line(route: KeyRoute) -> str:
    mark = "  (new)" if route.is_new else ""
    return (
        f"key: {show_controls(route.variable)} -> {show_controls(route.origin)}, for {route.provider}{mark}"
    )
