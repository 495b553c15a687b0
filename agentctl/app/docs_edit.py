"""A document in the person's editor: what they made of it is stored, or kept in a file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

from agentctl.app.docs_text import from_markdown
from agentctl.app.docs_user import UserDocs
from agentctl.app.person import Person
from agentctl.documents.faults import DocumentChanged
from agentctl.domain.document import Document, DocumentChange
from agentctl.errors import AgentctlError, UsageError
from agentctl.formats.front_matter import join
from agentctl.render.controls import strip_controls


class DocsEdit:
    """Edits one document at a time; `show` is where a conflict is shown, line by line."""

    def __init__(self, docs: UserDocs, person: Person, editor: str, show: Callable[[str], None]) -> None:
        self._docs = docs
        self._person = person
        self._editor = editor
        self._show = show

    def edit(self, given: str) -> Document | None:
        """The document as it is now; None where the person changed nothing.

        Whatever keeps it from being stored, the text is kept, and the error's hint says where. Raises
        DocumentChanged where somebody else wrote meanwhile; the difference has been shown then.
        """
        before = self._docs.read(self._docs.find(given))
        text = _to_text(before)
        edited = self._open(text)
        if edited == text:
            return None
        try:
            change = _read_change(before, edited)
            after = self._docs.update(before.id, change, before.rev)
        except DocumentChanged as error:
            self._show_conflict(_to_text(error.current), edited)
            raise _with_kept(error, edited, before.id) from None
        except AgentctlError as error:
            raise _with_kept(error, edited, before.id) from None
        return None if after.rev == before.rev else after

    def _open(self, text: str) -> str:
        terminal = self._person.find_terminal()
        if terminal is None:
            raise UsageError(
                "an editor needs a terminal",
                hint="agentctl docs update ID --content FILE does without one.",
            )
        import asyncio

        from agentctl.render.editor import edit

        try:
            return asyncio.run(edit(text, self._editor, terminal, ending=".md"))
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot edit with {self._editor}: {error}", hint="Set EDITOR.") from None
        finally:
            os.close(terminal)

    def _show_conflict(self, theirs: str, mine: str) -> None:
        from difflib import unified_diff

        now, had = theirs.split("\n"), mine.split("\n")
        for line in unified_diff(now, had, "as it is now", "as you have it", lineterm=""):
            self._show(strip_controls(line))


def _to_text(document: Document) -> str:
    fields = {"title": document.title, "tags": list(document.tags), "summary": document.summary}
    return join(fields, document.text)


def _read_change(before: Document, text: str) -> DocumentChange:
    new, fields = from_markdown(text, "the edited text")
    content = new.content
    # Editors end the last line of every file.
    if content == f"{before.text}\n":
        content = before.text
    return DocumentChange(
        title=new.title if fields.get("title") is not None else None,
        content=content,
        # Taken away, it is cut anew; left as it was beside new content, too.
        summary=new.summary or "",
        tags=new.tags,
        summary_from_file=True,
    )


def _with_kept(error: AgentctlError, text: str, document_id: str) -> AgentctlError:
    """The error with a hint that names the file in which the text is kept."""
    descriptor, path = tempfile.mkstemp(prefix=f"{document_id}-", suffix=".md")
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    error.hint = f"{error.hint} " if error.hint else ""
    error.hint += f"Your text is kept in {path}."
    return error
