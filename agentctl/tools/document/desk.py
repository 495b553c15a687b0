"""Where documents are read and written, as tools get it handed down."""

from __future__ import annotations

from collections.abc import Callable

from agentctl.documents.service import DocumentService
from agentctl.domain.document import DocumentFilter, Page
from agentctl.domain.value import value


@value
class Desk:
    """The service, and a list whose `query` ranks: (user, filter) -> page."""

    service: DocumentService
    search: Callable[[int | None, DocumentFilter], Page]
