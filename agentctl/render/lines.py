"""One line a row: tab-separated for pipes, CSV, and bare ids."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def plain(value: Any) -> str:
    """A value as one piece of text: nothing for None, yes and no, lists with commas, JSON for mappings."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list() | tuple() if all(isinstance(item, str) for item in value):
            return ", ".join(value)
        case list() | tuple() | dict():
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def write_lines(
    stream: TextIO, rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, many: bool, color: bool
) -> None:
    """Tab-separated values without a header; tab, newline and backslash in values are escaped."""
    for row in rows:
        values = [plain(row[column]).translate(ESCAPES) for column in columns]
        if many:
            stream.write("\t".join(values) + "\n")
        else:
            stream.writelines(f"{column}\t{value}\n" for column, value in zip(columns, values, strict=True))


def write_csv(
    stream: TextIO, rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, many: bool, color: bool
) -> None:
    """CSV (RFC 4180, but lines end with LF) with a header."""
    import csv

    writer = csv.writer(stream, lineterminator="\n")
    quoting = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    for row in rows:
        values = [plain(row[column]) for column in columns]
        # The module quotes what holds its own line end only, and readers take a bare CR for one.
        (quoting if any("\r" in text for text in values) else writer).writerow(values)


def write_ids(
    stream: TextIO, rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, many: bool, color: bool
) -> None:
    """The first column alone: what other commands take as an id."""
    for row in rows:
        stream.write(f"{plain(row[columns[0]])}\n")
