"""Collects the cells of a table and writes them as Markdown."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# A cell may claim to span any number of columns and rows.
_MOST_COLUMNS = 60
_MOST_ROWS = 1_000


class Table:
    """The rows of one table; `caption` is its title."""

    def __init__(self) -> None:
        self.caption = ""
        self._rows: list[list[str]] = []
        self._below: dict[int, int] = {}  # column -> rows that a cell above still reaches into

    def start_row(self) -> None:
        """The next row."""
        self._rows.append([])
        self._skip()

    def add_cell(self, text: str, attrs: Mapping[str, str]) -> None:
        """The next cell of the row."""
        if not self._rows:
            self.start_row()
        row = self._rows[-1]
        wide, high = _span(attrs.get("colspan"), _MOST_COLUMNS), _span(attrs.get("rowspan"), _MOST_ROWS)
        for offset in range(min(wide, _MOST_COLUMNS - len(row))):
            if high > 1:
                self._below[len(row)] = high - 1
            row.append(text if offset == 0 else "")
        self._skip()

    def blocks(self, *, plain: bool) -> Iterator[list[str]]:
        """The caption, and the table: the first row is its head."""
        rows = [row for row in self._rows if any(row)]
        if self.caption:
            yield [self.caption]
        if not rows:
            return
        if plain:
            yield ["\t".join(row).rstrip() for row in rows]
            return
        rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
        width = max(map(len, rows))
        lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in rows]
        yield [lines[0], "|" + " --- |" * width, *lines[1:]]

    def _skip(self) -> None:
        """Leave the columns empty that a cell of a row above reaches into."""
        row = self._rows[-1]
        while self._below.get(len(row), 0) > 0 and len(row) < _MOST_COLUMNS:
            self._below[len(row)] -= 1
            row.append("")


def _span(text: str | None, most: int) -> int:
    if text and text.isascii() and text.isdecimal() and len(text) < 8:
        return max(1, min(int(text), most))
    return 1
