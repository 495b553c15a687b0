"""Documents as rows, and one of them as people read it."""

from __future__ import annotations

from typing import Any

from agentctl.app.docs_rows import details
from agentctl.documents.context import Context
from agentctl.domain.document import Document
from agentctl.domain.ids import rfc3339
from agentctl.render.controls import strip_controls
from agentctl.render.output import Output
from agentctl.render.streams import Streams


class DocsViews:
    """Shows one document. `pager` is the program that long ones go through, None for none."""

    def __init__(self, streams: Streams, *, color: bool, pager: str | None) -> None:
        self._streams = streams
        self._color = color
        self._pager = pager

    def show(self, document: Document, format: str | None, part: str | None) -> None:  # noqa: A002
        """Everything about it in a format, or a `part`: `raw`, `rendered` or `summary`.

        With neither it is rendered to people, and the bare content elsewhere: not a byte more or less.
        """
        terminal = self._streams.stdout_is_terminal
        if format is not None:
            Output(self._streams, format=format, color=self._color).one(details(document))
        elif part == "summary":
            self._write(document.summary, exact=False)
        elif part == "rendered" or (part is None and terminal):
            self._render(document)
        else:
            self._write(document.text, exact=not terminal)

    def _render(self, document: Document) -> None:
        """Markdown made readable, under lines that say what it is; through the pager where it is long."""
        from agentctl.render.markdown import render_markdown
        from agentctl.render.pager import show_long

        color = self._color and self._streams.stdout_is_terminal
        text = f"{_head(document)}\n\n{render_markdown(document.text, color=color)}"
        show_long(text, self._streams, self._pager)

    def show_context(self, context: Context) -> None:
        """A context as a model would read it; nothing where it holds nothing."""
        if context.pieces:
            from agentctl.documents.recollection import word_context

            self._write(word_context(context), exact=False)

    def show_diff(self, text: str) -> None:
        """A diff; nothing where there is none."""
        if text:
            self._write(text, exact=False)

    def _write(self, text: str, *, exact: bool) -> None:
        text = strip_controls(text) if self._streams.stdout_is_terminal else text
        self._streams.write(text if exact or text.endswith("\n") else f"{text}\n")


def _head(document: Document) -> str:
    facts: list[Any] = [
        document.id,
        document.type,
        rfc3339(document.updated_at)[:10],
        f"revision {document.rev}" if document.rev > 1 else None,
        document.tier if document.tier != "long_term" else None,
        "archived" if document.archived else None,
        f"of {document.owner}" if document.visibility != "private" else None,
        f"from {document.origin}" if document.session_id or document.source_path else None,
        "untrusted" if document.untrusted else None,
        ", ".join(document.tags),
    ]
    line = strip_controls(" · ".join(str(fact) for fact in facts if fact))
    return f"{strip_controls(document.title)}\n{line}"
