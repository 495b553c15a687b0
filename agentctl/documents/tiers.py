"""How long documents stay before a model: pinned ones always, archived ones no more."""

from __future__ import annotations

from dataclasses import replace

from agentctl.documents.faults import InvalidDocument
from agentctl.documents.shelf import Shelf
from agentctl.domain.document import Author, Document
from agentctl.domain.ids import now_ms
from agentctl.store.document_sessions import DocumentSessions

_DAY_MS = 86_400_000


class Tiers:
    """Moves one's own documents between tiers, which is no new revision of what they say."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._sessions = DocumentSessions(shelf.store.database)

    def pin(self, user_id: int | None, document_id: str, *, author: Author = "person") -> Document:
        """Put a document before the model in every run that remembers; out of the archive, if it was there.

        Raises PinnedFull, and InvalidDocument where an agent would pin what untrusted text had a hand in.
        """
        with self._shelf.store.transaction():
            document = self._shelf.require(user_id, document_id)
            if document.untrusted and author == "agent":
                raise InvalidDocument(
                    "what an agent stored after it read untrusted text is not pinned by an agent",
                    hint=f"A person may: agentctl docs pin {document.id}",
                )
            pinned = replace(document, tier="pinned", archived=False, pinned_by=author)
            self._shelf.check_pins(pinned)
            return self._place(pinned)

    def promote(self, user_id: int | None, document_id: str) -> Document:
        """Keep a document for good: no longer bound to its session, archived or pinned."""
        return self._move(user_id, document_id, archived=False)

    def archive(self, user_id: int | None, document_id: str) -> Document:
        """Keep a document out of lists, search and context; a pinned one is pinned no more."""
        return self._move(user_id, document_id, archived=True)

    def archive_idle(self, user_id: int) -> int:
        """Archive the memories of sessions that were idle for too long; returns how many."""
        before = now_ms() - self._shelf.limits.session_days * _DAY_MS
        ended = self._sessions.idle(user_id, before)
        if not ended:
            return 0
        with self._shelf.store.transaction():
            return sum(self._sessions.archive(user_id, session) for session in ended)

    def _move(self, user_id: int | None, document_id: str, *, archived: bool) -> Document:
        with self._shelf.store.transaction():
            document = self._shelf.require(user_id, document_id)
            bound = archived and document.tier == "session"
            tier = document.tier if bound else "long_term"
            return self._place(replace(document, tier=tier, archived=archived, pinned_by=None))

    def _place(self, document: Document) -> Document:
        self._shelf.documents.place(document)
        return document
