"""The one service behind every command and tool that reads or writes documents."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from agentctl.documents.draft import draft, revise
from agentctl.documents.faults import DocumentChanged, DocumentNotFound, InvalidDocument
from agentctl.documents.repetition import find_existing, find_similar
from agentctl.documents.shelf import Index, Shelf, require_user, sketch
from agentctl.domain.document import (
    Created,
    Document,
    DocumentChange,
    DocumentFilter,
    DocumentStats,
    NewDocument,
    Page,
    Reach,
)
from agentctl.domain.document_cursor import read_cursor
from agentctl.domain.document_limits import DocumentLimits
from agentctl.domain.surrogates import mend
from agentctl.errors import UsageError
from agentctl.store import Store
from agentctl.store.document_sessions import DocumentSessions
from agentctl.store.references import SHORTEST

if TYPE_CHECKING:
    from agentctl.documents.folders import Folders
    from agentctl.documents.history import History
    from agentctl.documents.imports import Imports
    from agentctl.documents.sharing import Sharing
    from agentctl.documents.tiers import Tiers
    from agentctl.documents.trash import Trash


class DocumentService:
    """Documents of whoever calls: `user_id` None is nobody, who gets NeedsUser from everything.

    What a user may not read does not exist for him: DocumentNotFound. Every write is one transaction.
    """

    def __init__(self, store: Store, index: Index) -> None:
        self._store = store
        self._shelf = Shelf(store, index)
        self._tended: set[int] = set()

    @property
    def limits(self) -> DocumentLimits:
        """How large documents may be in this database."""
        return self._shelf.limits

    @cached_property
    def folders(self) -> Folders:
        """Memories by path."""
        from agentctl.documents.folders import Folders

        return Folders(self._shelf)

    @cached_property
    def history(self) -> History:
        """What documents said before."""
        from agentctl.documents.history import History

        return History(self._shelf)

    @cached_property
    def imports(self) -> Imports:
        """Documents from files."""
        from agentctl.documents.imports import Imports

        return Imports(self._shelf, self.create, self.update)

    @cached_property
    def sharing(self) -> Sharing:
        """Who may read a document."""
        from agentctl.documents.sharing import Sharing

        return Sharing(self._shelf)

    @cached_property
    def tiers(self) -> Tiers:
        """Pinned, kept, archived."""
        from agentctl.documents.tiers import Tiers

        return Tiers(self._shelf)

    @cached_property
    def trash(self) -> Trash:
        """Deletes, takes back, removes for good."""
        from agentctl.documents.trash import Trash

        return Trash(self._shelf)

    def create(self, user_id: int | None, new: NewDocument, *, most: int | None = None) -> Created:
        """Store a document; a memory that repeats another gives that one, as `existing`.

        `most` lowers the limit of the content. A session of somebody else counts as none. Raises
        ContentTooLong, InvalidDocument and PinnedFull.
        """
        user = require_user(user_id)
        self.tend(user)
        document = draft(user, new, self._session(user, new.session_id), self._most(most))
        found_by = sketch(document)
        with self._store.transaction():
            if document.type == "memory" and new.id is None:
                existing = find_existing(self._shelf, document, new.recalled)
                if existing:
                    return Created(self._keep_longer(existing, document), existing=True)
                document = replace(document, similar_to=find_similar(self._shelf, document, found_by))
            self._shelf.insert(document, found_by)
        return Created(self._shelf.require(user, document.id))

    def read(self, user_id: int | None, document_id: str, *, reach: Reach = "own") -> Document:
        """The document with its content, by its whole id."""
        return self._shelf.require(user_id, document_id, reach)

    def find(
        self,
        user_id: int | None,
        given: str,
        *,
        reach: Reach = "own",
        shortest: int = SHORTEST,
        deleted: bool = False,
    ) -> str:
        """The whole id for one that a person shortened to a start or an end, or for `@last`.

        `@last` is the own document that was changed last, and is not understood where `shortest` asks for
        certainty. Raises UsageError where several fit.
        """
        user, given = require_user(user_id), mend(given)
        if given == "@last" and shortest == SHORTEST and not deleted:
            found = [each for each in [self._shelf.documents.last(user)] if each]
        else:
            found = self._shelf.documents.matching(user, given, shortest, reach, of_deleted=deleted)
        if not found:
            raise DocumentNotFound(given)
        if len(found) > 1:
            raise UsageError(
                f'"{given}" means several documents: {", ".join(found[:4])}', hint="Give more of the id."
            )
        return found[0]

    def list(self, user_id: int | None, wanted: DocumentFilter) -> Page:
        """One page of documents without contents, newest first. Raises InvalidDocument for an odd page."""
        user = require_user(user_id)
        self.tend(user)
        if wanted.page < 1 or (wanted.page_size is not None and wanted.page_size < 1):
            raise InvalidDocument("page and page_size must be at least 1")
        cursor = read_cursor(wanted.cursor) if wanted.cursor else None
        if wanted.cursor and (cursor is None or cursor.sort != wanted.sort):
            raise InvalidDocument("the cursor is not one of this list", hint="Start again without it.")
        return self._shelf.documents.page(user, wanted)

    def update(
        self,
        user_id: int | None,
        document_id: str,
        change: DocumentChange,
        *,
        rev: int | None = None,
        most: int | None = None,
    ) -> Document:
        """Change one's own document and keep what it said; a change that changes nothing is none.

        With `rev`, raises DocumentChanged unless the document still is at that revision. Also raises
        ContentTooLong, InvalidDocument and PinnedFull.
        """
        with self._store.transaction():
            before = self._shelf.require(user_id, document_id)
            if rev is not None and before.rev != rev:
                raise DocumentChanged(before, rev)
            return self._shelf.save(before, revise(before, change, self._most(most)))

    def pinned(self, user_id: int | None) -> tuple[Document, ...]:
        """The user's own pinned documents with their contents."""
        return tuple(self._shelf.documents.pinned(require_user(user_id)))

    def stats(self, user_id: int | None) -> DocumentStats:
        """The numbers of the user's own documents."""
        from agentctl.store.document_stats import count_documents

        return count_documents(self._store.database, require_user(user_id))

    def tend(self, user_id: int) -> None:
        """Archive what sessions left behind and remove what was deleted long ago, once in a process."""
        if user_id in self._tended:
            return
        self._tended.add(user_id)
        self.tiers.archive_idle(user_id)
        self.trash.empty(user_id)

    def _session(self, user: int, session_id: str | None) -> str | None:
        known = session_id is not None and DocumentSessions(self._store.database).own(user, mend(session_id))
        return session_id if known else None

    def _most(self, lowered: int | None) -> int:
        return min(self.limits.max_content_length, lowered or self.limits.max_content_length)

    def _keep_longer(self, existing: Document, wanted: Document) -> Document:
        """A memory that should last outlives the session that noted it first."""
        if existing.tier != "session" or wanted.tier == "session":
            return existing
        kept = replace(existing, tier="long_term")
        self._shelf.documents.place(kept)
        return kept
