"""Tables for people: aligned by the width that characters have on a screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from agentctl.render.controls import strip_controls
from agentctl.render.lines import plain

GAP = 2
# What is cut to fewer characters says nothing.
LEAST = 10
NUMBER = re.compile(r"-?\d+(\.\d+)?")
# Columns that a person is to act on: wrapped, never cut.
SENTENCES = frozenset({"detail", "repair", "hint"})


def write_table(
    stream: TextIO, rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, many: bool, color: bool
) -> None:
    """A table with a header for a list, one `name: value` line per field for one thing."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(
        file=stream, no_color=not color, highlight=False, markup=False, emoji=False, soft_wrap=not many
    )
    if not many:
        for row in rows:
            _write_fields(console, row, columns)
        return
    cells = [[_cell(row[column]) for column in columns] for row in rows]
    names = [column.upper() for column in columns]
    natural = [max(cell_len(line[place]) for line in (names, *cells)) for place in range(len(columns))]
    numeric = [_is_numeric([line[place] for line in cells]) for place in range(len(columns))]
    rigid = [place == 0 or numeric[place] or column.endswith("_at") for place, column in enumerate(columns)]
    widths = fit(natural, rigid, console.width)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    for place, width in enumerate(widths):
        table.add_column(
            names[place],
            justify="right" if numeric[place] else "left",
            overflow="fold" if columns[place] in SENTENCES else "ellipsis",
            no_wrap=columns[place] not in SENTENCES,
            width=width,
        )
    for line in cells:
        table.add_row(*map(Text, line[: len(widths)]))
    console.print(table)
    if left_out := names[len(widths) :]:
        console.print(Text(f"no room for {', '.join(left_out)}: widen the terminal, or -o json", style="dim"))


def fit(natural: Sequence[int], rigid: Sequence[bool], screen: int) -> list[int]:
    """The width of each column that has room on the screen; columns that have none are left out at the end.

    Rigid columns (ids, times, numbers) are shown whole. The others share what is left, the narrow ones first.
    """
    widths = [whole if stiff else min(whole, LEAST) for whole, stiff in zip(natural, rigid, strict=True)]
    while len(widths) > 1 and sum(widths) + GAP * (len(widths) - 1) > screen:
        widths.pop()
    spare = screen - sum(widths) - GAP * (len(widths) - 1)
    while spare > 0:
        cut = [place for place, width in enumerate(widths) if width < natural[place]]
        if not cut:
            break
        widths[min(cut, key=widths.__getitem__)] += 1
        spare -= 1
    return widths


def _is_numeric(texts: Sequence[str]) -> bool:
    """Whether a column holds numbers, and for what is unknown nothing or a dash."""
    return any(map(NUMBER.fullmatch, texts)) and all(
        text in ("", "-") or NUMBER.fullmatch(text) for text in texts
    )


def _write_fields(console: Any, row: Mapping[str, Any], columns: Sequence[str]) -> None:
    from rich.text import Text

    width = max(len(column) for column in columns)
    for column in columns:
        value = strip_controls(_field(row[column]))
        lines = value.split("\n") if value else [""]
        console.print(Text(column.ljust(width), style="bold"), Text(f"  {lines[0]}"), sep="")
        for line in lines[1:]:
            console.print(Text(" " * width + f"  {line}"))


def _field(value: Any) -> str:
    """One thing of a list a line, where the things are no mere words."""
    if isinstance(value, list | tuple) and all(isinstance(item, Mapping) for item in value):
        return "\n".join(map(plain, value))
    return plain(value)


def _cell(value: Any) -> str:
    return " ".join(strip_controls(plain(value)).split())
