"""A call that waits for a person, whole, with nothing in it that could hide or move anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.render.controls import show_controls
from agentctl.render.pages import lay_out


def approval_lines(row: Mapping[str, Any], columns: int) -> Iterator[str]:
    """One line a field, and arguments as the question shows them; what is not known is left out."""
    width = max(map(len, row))
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield name
            yield from lay_out(value, columns)
        elif value is not None:
            yield f"{name.ljust(width)}  {show_controls(str(value))}"
