"""Memories as files in folders: the title of one is its path."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.documents.draft import revise
from agentctl.documents.faults import DocumentNotFound
from agentctl.documents.shelf import Shelf, require_user
from agentctl.domain.document import Document, DocumentChange
from agentctl.domain.surrogates import mend
from agentctl.store.document_titles import find_titled, list_titled


class Folders:
    """One's own memories, archived ones aside. A place is a title such as `work/plans`, or an id."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def at(self, user_id: int | None, place: str) -> Document | None:
        """The memory at a place, with its content; the oldest where several have that title."""
        user, place = require_user(user_id), mend(place)
        titled = find_titled(self._shelf.store.database, user, place)
        found = self._shelf.documents.get(user, titled.id if titled else place)
        return found if found and found.type == "memory" and not found.archived else None

    def below(self, user_id: int | None, folder: str, most: int) -> list[Document]:
        """At most `most` memories in a folder and in those below, without contents; "" is everything."""
        start = f"{mend(folder)}/" if folder else ""
        return list_titled(self._shelf.store.database, require_user(user_id), start, most)

    def rename(self, user_id: int | None, titles: Sequence[tuple[str, str]], *, untrusted: bool) -> None:
        """Give memories other titles, all or none: pairs of id and title.

        Raises DocumentNotFound, and InvalidDocument for a title that is too long.
        """
        with self._shelf.store.transaction():
            for document_id, title in titles:
                before = self._shelf.require(user_id, document_id)
                if before.type != "memory":
                    raise DocumentNotFound(document_id)
                change = DocumentChange(title=title, untrusted=untrusted)
                self._shelf.save(before, revise(before, change, self._shelf.limits.max_content_length))
