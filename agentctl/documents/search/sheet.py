"""Makes of a document what the index holds."""

from __future__ import annotations

from agentctl.documents.search.folding import find_terms
from agentctl.documents.search.units import find_lines, find_parts
from agentctl.domain.document import Document
from agentctl.domain.document_sheet import DocumentSheet
from agentctl.domain.ids import rfc3339

# To be raised whenever terms, lines or chunks are cut in another way: sheets of other versions are made anew.
VERSION = 1
_MONTHS = "January February March April May June July August September October November December"


def make_sheet(document: Document) -> DocumentSheet:
    """The sheet of a document with its content; takes time linear in its length."""
    content = document.text
    lines = find_lines(content)
    year, month, _ = rfc3339(document.created_at).split("-")
    head = " ".join((document.title, *document.tags, year, _MONTHS.split()[int(month) - 1]))
    return DocumentSheet(
        document.id,
        document.user_id,
        _join(head),
        "\n".join(_join(content[start:end]) for start, end in lines),
        [[part.first, part.last, *part.headings] for part in find_parts(content, lines)],
        VERSION,
    )


def _join(text: str) -> str:
    return "".join(f" {term}" for term in find_terms(text))
