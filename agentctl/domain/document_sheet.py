"""A document as the search index holds it."""

from __future__ import annotations

from agentctl.domain.value import value


@value
class DocumentSheet:
    """The terms of a document: `head` of title, tags and date; `body` line by line.

    Before each term stands a space, between lines a newline. `chunks` are lines of the body: the first, the
    one behind the last, and the headings above. `no` is 0 before it is stored.
    """

    document_id: str
    user_id: int
    head: str
    body: str
    chunks: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    version: int = 0
    no: int = 0
