"""Tables for people: aligned by the width that characters have on a screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from agentctl.render.controls import strip_controls
from agentctl.render.lines import plain


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
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    cells = [[_cell(row[column]) for column in columns] for row in rows]
    for position, column in enumerate(columns):
        widest = max((cell_len(line[position]) for line in cells), default=0)
        least, most = _widths(position, column, widest, console.width)
        table.add_column(column.upper(), overflow="ellipsis", no_wrap=True, min_width=least, max_width=most)
    for line in cells:
        table.add_row(*map(Text, line))
    console.print(table)


def _widths(position: int, column: str, widest: int, screen: int) -> tuple[int, int]:
    """Least and greatest width of a column. The first is the id that people copy, so it is never cut."""
    full = max(widest, len(column))
    if position == 0:
        return full, full
    return min(full, len(column), 12), max(len(column), screen // 3)


def _write_fields(console: Any, row: Mapping[str, Any], columns: Sequence[str]) -> None:
    from rich.text import Text

    width = max(len(column) for column in columns)
    for column in columns:
        value = strip_controls(plain(row[column]))
        lines = value.split("\n") if value else [""]
        console.print(Text(column.ljust(width), style="bold"), Text(f"  {lines[0]}"), sep="")
        for line in lines[1:]:
            console.print(Text(" " * width + f"  {line}"))


def _cell(value: Any) -> str:
    return " ".join(strip_controls(plain(value)).split())
