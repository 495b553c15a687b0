"""Keeps the search index: one document at a time with every write, all of them when that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentctl.documents.search.sheet import VERSION, make_sheet
from agentctl.domain.document import Document
from agentctl.domain.document_sheet import DocumentSheet
from agentctl.store import Store
from agentctl.store.document_index import DocumentIndex
from agentctl.store.documents import Documents

# Documents that a rebuild does in one transaction: what it did stays done when it is interrupted.
_AT_ONCE = 50
# (documents done, documents in all)
Progress = Callable[[int, int], None]


class SearchIndex:
    """The index of every document of a database; `put` and `drop` join the caller's transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows = DocumentIndex(store.database)

    def put(self, document: Document) -> None:
        """Find this document by what it says now; its row must say the same already."""
        if document.deleted_at is None:
            self._rows.put(make_sheet(document))

    def drop(self, ids: Sequence[str]) -> None:
        """Find these documents no more."""
        self._rows.drop(ids)

    def rebuild(self, progress: Progress, *, resume: bool = False) -> int:
        """Index every document of every user anew, and say how many were done.

        With `resume`, only those that an interrupted rebuild, or an older agentctl, left.
        """
        if not resume:
            with self._store.transaction():
                self._rows.outdate()
        done = 0
        waiting, total = self._rows.count_waiting(VERSION)
        progress(total - waiting, total)
        while True:
            with self._store.transaction():
                found = self._rows.waiting(VERSION, _AT_ONCE)
                for document_id, user_id in found:
                    self._index(document_id, user_id)
            if not found:
                break
            done += len(found)
            progress(min(total, total - waiting + done), total)
        with self._store.transaction():
            self._rows.refill()
        return done

    def check(self) -> tuple[str, ...]:
        """What is wrong with the index, a sentence each; empty where all is well."""
        faults = [f"{table} does not hold what it should" for table in self._rows.unsound()]
        waiting, _ = self._rows.count_waiting(VERSION)
        if waiting:
            faults.append(f"{waiting:,} documents cannot be found by their words")
        strays = self._rows.strays()
        if strays:
            faults.append(f"{strays:,} entries belong to no document")
        wrong = sum(map(self._is_wrong, self._rows.sheets()))
        if wrong:
            faults.append(f"{wrong:,} documents are found by words that they do not say")
        return tuple(faults)

    def compact(self) -> None:
        """Merge the index, so that its pages hold nothing of what was deleted; takes time for all of it."""
        with self._store.transaction():
            self._rows.compact()

    def _index(self, document_id: str, user_id: int) -> None:
        document = Documents(self._store.database).get(user_id, document_id)
        if document:
            self._rows.put(make_sheet(document))

    def _is_wrong(self, sheet: DocumentSheet) -> bool:
        if sheet.version != VERSION:
            return False
        document = Documents(self._store.database).get(sheet.user_id, sheet.document_id)
        return document is not None and make_sheet(document)._replace(no=sheet.no) != sheet
