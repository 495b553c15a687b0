"""Where a page of documents ended: text that a later page continues from."""

from __future__ import annotations

import re
from typing import NamedTuple, cast, get_args

from agentctl.domain.document import Document, Sort

_FORM = re.compile(r"([a-z]+)\.(\d{1,18})\.([A-Za-z0-9_]{1,64})")


class Cursor(NamedTuple):
    """The last document that was seen: its time in milliseconds, by the order of the list, and its id."""

    sort: Sort
    at: int
    id: str


def cursor_after(document: Document, sort: Sort) -> str:
    """The cursor of a list in this order that continues behind `document`."""
    at = document.updated_at if sort == "updated" else document.created_at
    return f"{sort}.{at}.{document.id}"


def read_cursor(text: str) -> Cursor | None:
    """The cursor behind its text; None for text that is none."""
    match = _FORM.fullmatch(text)
    if match is None or match[1] not in get_args(Sort):
        return None
    return Cursor(cast("Sort", match[1]), int(match[2]), match[3])


def ranked_cursor(seen: int) -> str:
    """The cursor of a ranked list of which so many documents were seen."""
    return f"ranked.{seen}"


def read_ranked(text: str | None) -> int | None:
    """How many documents of a ranked list were seen; None for text that does not say so."""
    found = re.fullmatch(r"ranked\.(\d{1,9})", text or "")
    return int(found[1]) if found else None
