"""Deletes documents, takes that back within 30 days, and removes what shall be gone for good."""

from __future__ import annotations

from collections.abc import Iterable

from agentctl.documents.blanking import blank_call
from agentctl.documents.faults import DocumentNotFound
from agentctl.documents.shelf import Shelf, require_user
from agentctl.domain.document import Document
from agentctl.domain.document_limits import UNDELETE_DAYS
from agentctl.domain.ids import now_ms
from agentctl.domain.surrogates import mend
from agentctl.store.document_copies import DocumentCopies
from agentctl.store.document_trash import DocumentTrash

_DAY_MS = 86_400_000
# Many documents whose time is over do not make one command slow.
_MOST_AT_ONCE = 20


class Trash:
    """Deleted documents; several ids are one transaction, and one that is not there stops them all."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._trash = DocumentTrash(shelf.store.database)
        self._copies = DocumentCopies(shelf.store.database)

    def delete(self, user_id: int | None, ids: Iterable[str]) -> None:
        """Hide documents from every reader at once; their contents stay for `undelete` only."""
        user = require_user(user_id)
        with self._shelf.store.transaction():
            found = [self._shelf.require(user, each).id for each in dict.fromkeys(ids)]
            for document_id in found:
                self._trash.put(user, document_id, now_ms())
            self._shelf.index.drop(found)

    def undelete(self, user_id: int | None, document_id: str) -> Document:
        """Take a delete back: the document is as it was. Raises PinnedFull where its place was taken."""
        user = require_user(user_id)
        with self._shelf.store.transaction():
            document = self._require(user, document_id)
            self._shelf.check_pins(document)
            self._trash.take_back(user, document.id)
            document = self._shelf.require(user, document.id)
            self._shelf.index.put(document)
        return document

    def hard_delete(self, user_id: int | None, ids: Iterable[str]) -> int:
        """Remove documents with versions and search data, and blank their copies in calls and approvals.

        Returns how many calls held a copy. Messages keep what was said in them.
        """
        with self._shelf.store.transaction():
            return self._remove([self._shelf.require(user_id, each) for each in dict.fromkeys(ids)])

    def purge(self, user_id: int | None, ids: Iterable[str]) -> int:
        """Do the same with documents that were deleted before."""
        user = require_user(user_id)
        with self._shelf.store.transaction():
            return self._remove([self._require(user, each) for each in dict.fromkeys(ids)])

    def empty(self, user_id: int) -> None:
        """Purge what the user deleted longer than 30 days ago."""
        before = now_ms() - UNDELETE_DAYS * _DAY_MS
        if not self._trash.before(user_id, before, 1):
            return
        with self._shelf.store.transaction():
            self.purge(user_id, self._trash.before(user_id, before, _MOST_AT_ONCE))

    def _require(self, user: int, document_id: str) -> Document:
        document = self._trash.get(user, mend(document_id))
        if document is None:
            raise DocumentNotFound(document_id)
        return document

    def _remove(self, documents: list[Document]) -> int:
        self._shelf.index.drop([document.id for document in documents])
        blanked = 0
        for document in documents:
            for call in self._copies.calls(document.user_id, document.id):
                self._copies.replace(blank_call(call, document.id))
                blanked += 1
            self._trash.remove(document.user_id, document.id)
        return blanked
