"""JSON, JSON lines and YAML, written row by row so that a long list stays flat in memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO


def write_json(
    stream: TextIO, rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, many: bool, color: bool
) -> None:
    """An array of objects for a list, an object for one thing."""
    if not many:
        stream.writelines(f"{json.dumps(dict(row), ensure_ascii=False, indent=2)}\n" for row in rows)
        return
    separator = "[\n"
    for row in rows:
        stream.write(separator + json.dumps(dict(row), ensure_ascii=False))
        separator = ",\n"
    stream.write("[]\n" if separator == "[\n" else "\n]\n")


def write_jsonl(
    stream: TextIO, rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, many: bool, color: bool
) -> None:
    """One object a line."""
    for row in rows:
        stream.write(json.dumps(dict(row), ensure_ascii=False) + "\n")


def write_yaml(
    stream: TextIO, rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, many: bool, color: bool
) -> None:
    """A YAML list of mappings, or one mapping."""
    from agentctl.formats.dump import dump

    for row in rows:
        stream.write(dump([dict(row)]) if many else dump(dict(row)))
