"""Where documents stand: rows, versions, sketches and search index, always written together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from agentctl.documents.faults import DocumentNotFound, NeedsUser, PinnedFull
from agentctl.documents.likeness import bands, runs
from agentctl.documents.limits import read_limits
from agentctl.domain.document import Document, Reach
from agentctl.domain.document_limits import DocumentLimits
from agentctl.domain.surrogates import mend
from agentctl.domain.tokens import estimate_tokens
from agentctl.store import Store
from agentctl.store.document_memories import Memories
from agentctl.store.document_versions import DocumentVersions
from agentctl.store.documents import Documents


class Index(Protocol):
    """What searches documents; it joins the transaction that it is called in."""

    def put(self, document: Document) -> None:
        """Find this document by what it says now, instead of by what it said."""

    def drop(self, ids: Sequence[str]) -> None:
        """Find these documents no more."""


class Shelf:
    """Reads and writes whole documents; whoever writes holds the transaction."""

    def __init__(self, store: Store, index: Index) -> None:
        self.store = store
        self.index = index
        self.documents = Documents(store.database)
        self.versions = DocumentVersions(store.database)
        self.memories = Memories(store.database)

    @cached_property
    def limits(self) -> DocumentLimits:
        """How large documents may be."""
        return read_limits(self.store)

    def require(self, user_id: int | None, document_id: str, reach: Reach = "own") -> Document:
        """The document with its content; raises NeedsUser and DocumentNotFound."""
        found = self.documents.get(require_user(user_id), mend(document_id), reach)
        if found is None:
            raise DocumentNotFound(document_id)
        return found

    def insert(self, document: Document, sketch: Sequence[int]) -> None:
        """Store a new document and make it findable; `sketch` is what `sketch` makes of it."""
        self.check_pins(document)
        self.documents.insert(document)
        self.memories.sketch(document, sketch)
        self.index.put(document)

    def save(self, before: Document, after: Document) -> Document:
        """Store a revision and keep what stood there before; nothing is written where both are the same."""
        if after is before:
            return before
        self.check_pins(after)
        self.versions.keep(before)
        self.documents.update(after)
        if (after.hash, after.type) != (before.hash, before.type):
            self.memories.sketch(after, sketch(after))
        self.index.put(after)
        return after

    def check_pins(self, document: Document) -> None:
        """Raise PinnedFull where a pinned document takes more tokens than the others leave."""
        if document.tier != "pinned":
            return
        others = [each for each in self.documents.pinned(document.user_id) if each.id != document.id]
        used = sum(estimate_tokens(each.text) for each in others)
        needed = estimate_tokens(document.text)
        if used + needed > self.limits.pinned_tokens:
            raise PinnedFull(
                f"pinned documents may hold {self.limits.pinned_tokens:,} tokens together:"
                f" {used:,} are taken, this one needs {needed:,}",
                hint="agentctl docs list --tier pinned shows them; agentctl docs promote unpins one.",
            )


def sketch(document: Document) -> tuple[int, ...]:
    """What near repetitions of a document are found by; empty for what is no memory."""
    return bands(runs(document.text)) if document.type == "memory" else ()


def require_user(user_id: int | None) -> int:
    """The user; raises NeedsUser for nobody."""
    if user_id is None:
        raise NeedsUser
    return user_id
