"""Shows lists and single things in the format that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import islice
from typing import Any

from agentctl.render import FORMATS
from agentctl.render.streams import Streams, closed_stdout

Row = Mapping[str, Any]
PAGE_SIZE = 50
ALL = -1


class Output:
    """One command's stdout. `format` None means: a table on a terminal, tab-separated lines elsewhere."""

    def __init__(self, streams: Streams, *, format: str | None = None, color: bool = False) -> None:  # noqa: A002
        self.streams = streams
        self.format = format
        self.color = color

    def rows(self, rows: Iterable[Row], columns: Sequence[str]) -> None:
        """Show a list; every row has all `columns`."""
        self._write(rows, columns, many=True)

    def page(
        self,
        fetch: Callable[[int, int], Iterable[Row]],
        columns: Sequence[str],
        *,
        limit: int | None,
        page: int,
    ) -> None:
        """Show one page of `fetch(limit, offset)`: 50 rows in a table on a terminal, all elsewhere.

        One row more than the page is asked for, so that a note can say that there are more.
        """
        size = self.page_size(limit, page)
        if size is None:
            self.rows(fetch(ALL, 0), columns)
            return
        rows = iter(fetch(size + 1, (page - 1) * size))
        self.rows(islice(rows, size), columns)
        if next(rows, None) is not None:
            self.streams.note(f"there are more: --page {page + 1}, or --limit N")

    def slice(self, rows: Sequence[Row], columns: Sequence[str], *, limit: int | None, page: int) -> None:
        """Show one page of rows that are all there already."""

        def fetch(size: int, offset: int) -> Sequence[Row]:
            return rows[offset:] if size == ALL else rows[offset : offset + size]

        self.page(fetch, columns, limit=limit, page=page)

    def one(self, row: Row) -> None:
        """Show one thing."""
        self._write([row], list(row), many=False)

    def text(self, text: str) -> None:
        """Write text as it is, with a newline at its end."""
        self.streams.write(text if text.endswith("\n") else f"{text}\n")

    def page_size(self, limit: int | None, page: int) -> int | None:
        """Rows a page: what was asked for, else 50 in a table on a terminal, else None, which is all."""
        return limit or (PAGE_SIZE if page > 1 or self._is_for_people() else None)

    def _is_for_people(self) -> bool:
        return self.format in (None, "table") and self.streams.stdout_is_terminal

    def _write(self, rows: Iterable[Row], columns: Sequence[str], *, many: bool) -> None:
        name = self.format
        if name is None and not self.streams.stdout_is_terminal:
            from agentctl.render.lines import write_lines as write
        else:
            module, _, function = FORMATS[name or "table"].partition(":")
            write = getattr(import_module(module), function)
        try:
            write(self.streams.stdout, rows, columns, many=many, color=self.color)
            self.streams.stdout.flush()
        except (OSError, ValueError) as error:
            raise closed_stdout(error) from None
