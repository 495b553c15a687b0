"""Documents written to files and read from them again, without loss."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from agentctl.app.docs_read import Entry, find_files, read_entries
from agentctl.app.docs_text import to_fields
from agentctl.app.docs_user import UserDocs
from agentctl.documents.draft import draft
from agentctl.domain.document import Document, DocumentFilter
from agentctl.domain.value import value
from agentctl.errors import UsageError
from agentctl.formats.front_matter import join
from agentctl.render.controls import show_controls
from agentctl.store import Store

_SLUG_LENGTH = 50
# Fewer are stored before anybody could read how far it is.
_MANY = 200


@value
class Import:
    """What became of the entries of files, and what a person should know about them."""

    rows: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]


# Hears how many are done, how many there are, and which it is.
Progress = Callable[[int, int, str], None]


class DocsFiles:
    """Exports and imports."""

    def __init__(self, store: Store, docs: UserDocs) -> None:
        self._store = store
        self._docs = docs

    def export_lines(self, ids: Sequence[str] | None) -> Iterator[dict[str, Any]]:
        """Each document as an object; without `ids` all of this user's own, archived ones too."""
        for document in self._read(ids):
            yield {**to_fields(document), "content": document.text}

    def export(self, ids: Sequence[str] | None, folder: str) -> Iterator[dict[str, Any]]:
        """Write each document as Markdown into `folder`; yields what was written.

        A document that stands there already is written over, whatever its file is called by now.
        """
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
            known = {name.rpartition(".ad_")[2]: name for name in os.listdir(target) if ".ad_" in name}
            for document in self._read(ids):
                ending = f"{document.id.removeprefix('ad_')}.md"
                path = target / known.get(ending, f"{_slug(document.title)}.ad_{ending}")
                _write(path, join(to_fields(document), document.text))
                yield {"id": document.id, "title": document.title, "path": str(path)}
        except OSError as error:
            raise UsageError(f"cannot write to {error.filename or folder}: {error.strerror}") from None

    def load(self, given: Sequence[str], progress: Progress) -> Import:
        """Store what stands in files and folders: all of it or, where anything is wrong, nothing.

        Raises UsageError, NotFound and what the service raises, with the place in the file.
        """
        files = find_files(given)
        count, notes = self._check(read_entries(files))
        rows = []
        with self._store.transaction():
            for entry in read_entries(files):
                rows.append(self._put(entry))
                if count >= _MANY:
                    progress(len(rows), count, entry.place)
        return Import(tuple(rows), notes)

    def _check(self, entries: Iterable[Entry]) -> tuple[int, tuple[str, ...]]:
        """How many there are and what to say about them; raises for the first that could not be stored."""
        places: dict[str, str] = {}
        ignored: set[str] = set()
        count = sessions = 0
        most = self._docs.service.limits.max_content_length
        for count, entry in enumerate(entries, start=1):  # noqa: B007
            with entry.blamed():
                draft(self._docs.user_id, entry.settled(), None, most)
                self._docs.service.imports.match(self._docs.user_id, entry.new)
            if entry.new.id and (other := places.setdefault(entry.new.id, entry.place)) != entry.place:
                raise UsageError(
                    f"{entry.place}: the id {entry.new.id} stands in {other} too", hint="Take one away."
                )
            ignored |= entry.unknown
            sessions += entry.has_session
        return count, tuple(_notes(ignored, sessions))

    def _put(self, entry: Entry) -> dict[str, Any]:
        with entry.blamed():
            imported = self._docs.service.imports.put(self._docs.user_id, entry.new)
            document = imported.document
            if entry.archived and imported.outcome == "created":
                document = self._docs.service.tiers.archive(self._docs.user_id, document.id)
        return {
            "id": document.id,
            "outcome": imported.outcome,
            "title": document.title,
            "source": entry.place,
        }

    def _read(self, ids: Sequence[str] | None) -> Iterator[Document]:
        if ids is None:
            everything = DocumentFilter(archived=None, page_size=None)
            ids = [document.id for document in self._docs.page(everything).items]
        for document_id in ids:
            yield self._docs.service.read(self._docs.user_id, document_id)


def _notes(ignored: Iterable[str], sessions: int) -> Iterator[str]:
    if ignored:
        shown = ", ".join(show_controls(name[:40]) for name in sorted(ignored)[:8])
        yield f"note: ignored what means nothing here: {shown}"
    if sessions:
        yield f"note: ignored the session_id of {sessions}: what is imported belongs to no session"


def _slug(title: str) -> str:
    """The title as a part of a file's name; never empty, never hidden, never a path."""
    return re.sub(r"[\W_]+", "-", title.lower())[:_SLUG_LENGTH].strip("-") or "document"


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all; a link that stands there is replaced, not followed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8", newline="")
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
