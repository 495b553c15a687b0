"""Paths below /memories, and the titles of memories that they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentctl.domain.document import Document
from agentctl.domain.document_limits import TITLE_LENGTH

ROOT = "/memories"


def find_fault(path: str) -> str | None:
    """What is wrong with a path; None where it can be one."""
    if path.rstrip("/") == ROOT:
        return None
    if not path.startswith(f"{ROOT}/"):
        return f"must be {ROOT} or begin with {ROOT}/"
    place = to_place(path)
    if not _is_place(place):
        return "must have no empty, . or .. part"
    if len(place) > TITLE_LENGTH:
        return f"is longer than {TITLE_LENGTH} characters"
    return None


def to_place(path: str) -> str:
    """The title that a sound path stands for; "" for /memories itself."""
    return " ".join(path.rstrip("/")[len(ROOT) + 1 :].split())


def to_path(place: str) -> str:
    """The path of a title or an id."""
    return f"{ROOT}/{place}" if place else ROOT


def place_all(documents: Iterable[Document]) -> Iterator[tuple[str, Document]]:
    """The place of each of these memories, which come by title and then age.

    A title that an older one has, or that is no path, gives way to the id.
    """
    before = None
    for document in documents:
        is_own = document.title != before and _is_place(document.title)
        before = document.title
        yield (document.title if is_own else document.id), document


def _is_place(title: str) -> bool:
    return not {"", ".", ".."} & set(title.split("/")) and title == " ".join(title.split())
