"""A document as the search index holds it."""

from __future__ import annotations

from typing import NamedTuple


class DocumentSheet(NamedTuple):
    """The terms of a document: `head` of title, tags and date; `body` line by line.

    Before each term stands a space, between lines a newline. A chunk is its first line in the body, the one
    behind its last, and then the lines of the headings above it. `no` is 0 before it is stored.
    """

    document_id: str
    user_id: int
    head: str
    body: str
    chunks: list[list[int]]
    version: int = 0
    no: int = 0
