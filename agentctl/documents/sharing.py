"""Who may read a document besides its owner; nobody else may ever change it."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.documents.faults import InvalidDocument
from agentctl.documents.shelf import Shelf
from agentctl.domain.document import Document, Visibility
from agentctl.domain.surrogates import mend
from agentctl.errors import NotFound, UsageError
from agentctl.store.document_readers import DocumentReaders


class Sharing:
    """Visibility of one's own documents."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._readers = DocumentReaders(shelf.store.database)

    def set(
        self, user_id: int | None, document_id: str, visibility: Visibility, readers: Sequence[str] = ()
    ) -> Document:
        """Let these readers read it from now on and nobody else; `readers` are names, for `shared` only.

        Raises NotFound for a user that is not known, InvalidDocument for `shared` with nobody.
        """
        with self._shelf.store.transaction():
            document = self._shelf.require(user_id, document_id)
            known = self._find(readers) if visibility == "shared" else {}
            ids = [each for each in known.values() if each != document.user_id]
            if visibility == "shared" and not ids:
                raise InvalidDocument("a shared document needs a reader other than its owner")
            self._readers.set(document.user_id, document.id, visibility, ids)
            return self._shelf.require(user_id, document.id)

    def _find(self, names: Sequence[str]) -> dict[str, int]:
        wanted = list(dict.fromkeys(map(mend, names)))
        known = self._readers.users(wanted)
        unknown = [name for name in wanted if name not in known]
        if unknown:
            raise NotFound(
                f"no user {', '.join(unknown[:4])}", hint="A user is known once he has run agentctl himself."
            )
        return known


def read_visibility(text: str) -> tuple[Visibility, tuple[str, ...]]:
    """`private`, `public` or `shared:ann,bob` as visibility and readers; raises UsageError for other text."""
    word, _, names = text.partition(":")
    readers = tuple(name.strip() for name in names.split(",") if name.strip())
    if word == "private" and not readers:
        return "private", ()
    if word == "public" and not readers:
        return "public", ()
    if word == "shared" and readers:
        return "shared", readers
    raise UsageError(f'"{text}" is no visibility', hint="Use private, public or shared:USER,USER.")
