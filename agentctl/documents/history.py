"""What documents said before: shown, compared and restored."""

from __future__ import annotations

from agentctl.documents.draft import revert
from agentctl.documents.faults import InvalidDocument
from agentctl.documents.shelf import Shelf
from agentctl.domain.document import Document, DocumentVersion


class History:
    """Versions of one's own documents."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def list(self, user_id: int | None, document_id: str) -> list[DocumentVersion]:
        """Every version without its content, newest first; the first is what the document says now."""
        document = self._shelf.require(user_id, document_id)
        return [_now(document), *self._shelf.versions.list(document.user_id, document.id)]

    def version(self, user_id: int | None, document_id: str, rev: int) -> DocumentVersion:
        """One version with its content; raises InvalidDocument where there is no such revision."""
        document = self._shelf.require(user_id, document_id)
        if rev == document.rev:
            return _now(document, document.text)
        found = self._shelf.versions.get(document.user_id, document.id, rev)
        if found is None:
            raise InvalidDocument(
                f"document {document.id} has no revision {rev}, the newest is {document.rev}",
                hint=f"agentctl docs history {document.id} shows all of them.",
            )
        return found

    def restore(self, user_id: int | None, document_id: str, rev: int) -> Document:
        """Make an earlier version the newest one; what stood there is kept as well."""
        with self._shelf.store.transaction():
            version = self.version(user_id, document_id, rev)
            before = self._shelf.require(user_id, document_id)
            return self._shelf.save(before, revert(before, version))

    def diff(self, user_id: int | None, document_id: str, old: int, new: int | None = None) -> str:
        """A unified diff of two revisions, `new` None being the newest; empty where both say the same."""
        # Only this command pays for the import.
        from difflib import unified_diff

        newest = self._shelf.require(user_id, document_id).rev
        first = self.version(user_id, document_id, old)
        second = self.version(user_id, document_id, newest if new is None else new)
        old_name, new_name = (f"{document_id} revision {each.rev}" for each in (first, second))
        return "\n".join(unified_diff(_lines(first), _lines(second), old_name, new_name, lineterm=""))


def _lines(version: DocumentVersion) -> list[str]:
    head = [f"title: {version.title}", f"tags: {', '.join(version.tags)}", f"summary: {version.summary}", ""]
    return [*head, *(version.content or "").split("\n")]


def _now(document: Document, content: str | None = None) -> DocumentVersion:
    return DocumentVersion(
        document_id=document.id,
        rev=document.rev,
        type=document.type,
        title=document.title,
        summary=document.summary,
        tags=document.tags,
        hash=document.hash,
        content_chars=document.content_chars,
        untrusted=document.untrusted,
        created_at=document.updated_at,
        content=content,
    )
