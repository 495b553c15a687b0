"""What can be wrong with a request for documents, each with a kind of its own that scripts see."""

from __future__ import annotations

from agentctl.domain.document import Document
from agentctl.errors import Busy, CredentialsError, NotFound, UsageError


class NeedsUser(CredentialsError):
    """Nobody is logged in, and documents belong to somebody."""

    kind = "needs_user"

    def __init__(self) -> None:
        super().__init__("this tool needs a user", hint="Run it without --anonymous, or with --user NAME.")


class DocumentNotFound(NotFound):
    """Missing, deleted or somebody else's: which of them is not told."""

    kind = "document_not_found"

    def __init__(self, given: str | None = None) -> None:
        shown = f": {given[:60]}" if given else ""
        super().__init__(
            f"document not found or not accessible{shown}", hint="agentctl docs list shows what there is."
        )


class ContentTooLong(UsageError):
    """More than the database takes in one document."""

    kind = "content_too_long"

    def __init__(self, length: int, most: int) -> None:
        super().__init__(
            f"content exceeds the maximum length: {length:,} characters, at most {most:,}",
            hint="Split it into several documents, or raise documents.max_content_length in the YAML.",
        )


class InvalidDocument(UsageError):
    """A field of a document is not what it can be."""

    kind = "invalid_document"


class PinnedFull(UsageError):
    """The pinned documents together would take more tokens than may be pinned."""

    kind = "pinned_full"


class DocumentChanged(Busy):
    """Somebody changed the document meanwhile; `current` is what it is now."""

    kind = "document_changed"

    def __init__(self, current: Document, expected: int) -> None:
        super().__init__(
            f"document {current.id} was changed meanwhile: it is at revision {current.rev}, not {expected}",
            hint=f"agentctl docs diff {current.id} shows what changed; nothing was written.",
        )
        self.current = current
