"""The documents of this user as commands find, read and change them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from agentctl.documents.service import DocumentService
from agentctl.domain.document import (
    Created,
    Document,
    DocumentChange,
    DocumentFilter,
    DocumentStats,
    DocumentVersion,
    NewDocument,
    Page,
    Visibility,
)
from agentctl.domain.document_limits import UNDELETE_DAYS
from agentctl.render.controls import show_controls
from agentctl.store import Store
from agentctl.store.references import SHORTEST, SHORTEST_TO_DECIDE

# So many are named before a person is asked.
_SHOWN = 10


class UserDocs:
    """What `given` names is an id, a unique part of one, or `@last`; several are one transaction.

    With `by_tool` (a program that a tool has started) what is written is marked as an agent's word.
    """

    def __init__(self, store: Store, service: DocumentService, user_id: int, *, by_tool: bool) -> None:
        self._store = store
        self.service = service
        self.user_id = user_id
        self._by_tool = by_tool

    def find(self, given: str) -> str:
        """The id of one's own document. Raises NotFound, and UsageError where several fit."""
        return self.service.find(self.user_id, given)

    def find_all(self, given: Sequence[str], *, surely: bool = False, deleted: bool = False) -> list[str]:
        """Their ids, each once; `surely` asks for 8 characters of each and does not know `@last`."""
        shortest = SHORTEST_TO_DECIDE if surely else SHORTEST
        found = (self.service.find(self.user_id, each, shortest=shortest, deleted=deleted) for each in given)
        return list(dict.fromkeys(found))

    def read(self, given: str, rev: int | None = None) -> Document:
        """A document that this user may read, with its content; of one's own also an earlier revision."""
        document_id = self.service.find(self.user_id, given, reach="public")
        if rev is None:
            return self.service.read(self.user_id, document_id, reach="public")
        version = self.service.history.version(self.user_id, document_id, rev)
        return _as_it_was(self.service.read(self.user_id, document_id), version)

    def page(self, wanted: DocumentFilter, session: str | None = None) -> Page:
        """One page; `session` is the id of a session, or a part of it."""
        if session is not None:
            wanted = replace(wanted, session=self._store.sessions.find(self.user_id, session).id)
        return self.service.list(self.user_id, wanted)

    def create(self, new: NewDocument) -> Created:
        """Store a document."""
        author: Literal["agent", "person"] = "agent" if self._by_tool else "person"
        return self.service.create(self.user_id, replace(new, author=author, untrusted=self._by_tool))

    def update(self, given: str, change: DocumentChange, rev: int | None = None) -> Document:
        """Change a document; with `rev`, raises DocumentChanged where it is at another one."""
        return self.service.update(
            self.user_id, self.find(given), replace(change, untrusted=self._by_tool), rev=rev
        )

    def describe(self, ids: Sequence[str]) -> Iterator[str]:
        """A line for each document, for whoever is asked about all of them; many are only counted."""
        for each in ids[:_SHOWN]:
            document = self.service.read(self.user_id, each)
            yield f"{document.id}  {show_controls(document.title)}"
        if len(ids) > _SHOWN:
            yield f"and {len(ids) - _SHOWN} more"

    def delete(self, ids: Sequence[str], *, hard: bool) -> str:
        """Delete by whole ids; returns what to tell the person."""
        if hard:
            return _word_removed(ids, self.service.trash.hard_delete(self.user_id, ids))
        self.service.trash.delete(self.user_id, ids)
        return f"deleted {_count(ids)}; for {UNDELETE_DAYS} days agentctl docs undelete takes that back"

    def purge(self, ids: Sequence[str]) -> str:
        """End deleted documents for good, by whole ids; returns what to tell the person."""
        return _word_removed(ids, self.service.trash.purge(self.user_id, ids))

    def undelete(self, given: Sequence[str]) -> list[Document]:
        """Take deletes back."""
        ids = self.find_all(given, deleted=True)
        with self._store.transaction():
            return [self.service.trash.undelete(self.user_id, each) for each in ids]

    def place(self, given: Sequence[str], tier: Literal["archive", "pin", "promote"]) -> list[Document]:
        """Archive, pin, or keep for good."""
        move = getattr(self.service.tiers, tier)
        ids = self.find_all(given)
        with self._store.transaction():
            return [move(self.user_id, each) for each in ids]

    def share(self, given: str, visibility: Visibility, readers: Sequence[str] = ()) -> Document:
        """Say who else may read a document."""
        return self.service.sharing.set(self.user_id, self.find(given), visibility, readers)

    def history(self, given: str) -> list[DocumentVersion]:
        """All versions without contents, newest first."""
        return self.service.history.list(self.user_id, self.find(given))

    def diff(self, given: str, rev: int | None) -> str:
        """What changed since revision `rev`, None being the one before the newest; "" for nothing."""
        document_id = self.find(given)
        if rev is None:
            rev = max(1, self.service.read(self.user_id, document_id).rev - 1)
        return self.service.history.diff(self.user_id, document_id, rev)

    def restore(self, given: str, rev: int) -> Document:
        """Make an earlier revision the newest."""
        return self.service.history.restore(self.user_id, self.find(given), rev)

    def stats(self) -> DocumentStats:
        """How many there are, and how large they are."""
        return self.service.stats(self.user_id)


def _as_it_was(document: Document, version: DocumentVersion) -> Document:
    return replace(
        document,
        rev=version.rev,
        type=version.type,
        title=version.title,
        summary=version.summary,
        tags=version.tags,
        hash=version.hash,
        content_chars=version.content_chars,
        untrusted=version.untrusted,
        updated_at=version.created_at,
        content=version.content,
    )


def _count(ids: Sequence[str]) -> str:
    return f"{len(ids)} document{'' if len(ids) == 1 else 's'}"


def _word_removed(ids: Sequence[str], blanked: int) -> str:
    copies = f" and blanked its words in {blanked} tool calls" if blanked else ""
    return f"removed {_count(ids)} for good{copies}; messages keep what was said in them"
