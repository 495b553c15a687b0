"""A call that waits for a person, whole, with nothing in it that could hide or move anything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.render.controls import show_controls


def approval_lines(row: Mapping[str, Any]) -> Iterator[str]:
    """One line a field and one an argument, as people read them."""
    width = max(map(len, row))
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield name
            for key, item in value.items():
                yield f"  {show_controls(key)} = {show_controls(json.dumps(item, ensure_ascii=False))}"
            if not value:
                yield "  (none)"
        elif value is not None:
            yield f"{name.ljust(width)}  {show_controls(str(value))}"
