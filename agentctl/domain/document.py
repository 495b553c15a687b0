"""A document that a user's agents remember or deliver, what makes one, changes one, and finds some."""

from __future__ import annotations

from typing import Literal

from agentctl.domain.value import value

# A memory is what an agent notes for itself, a document what it delivers to a person.
DocumentType = Literal["memory", "document"]
Tier = Literal["session", "long_term", "pinned"]
Visibility = Literal["private", "shared", "public"]
# Whose documents may be read: one's own; also what was shared with one; also what is open to all.
Reach = Literal["own", "shared", "public"]
Sort = Literal["created", "updated"]
Author = Literal["person", "agent"]

DOCUMENT_TYPES: tuple[DocumentType, ...] = ("memory", "document")
TIERS: tuple[Tier, ...] = ("session", "long_term", "pinned")
REACHES: tuple[Reach, ...] = ("own", "shared", "public")


@value
class Document:
    """Times are milliseconds UTC, lengths code points. `content` is None in rows of a list.

    `rev` counts changes from 1. `hash` is the SHA-256 of the content. `untrusted` marks what was stored after
    its run had read untrusted text. `similar_to` is a memory that says nearly the same. `owner` is the name
    of the user; `readers` are names too, empty unless `visibility` is `shared`, and told to the owner only.
    `source_path` is the file that it was imported from.
    """

    id: str
    user_id: int
    session_id: str | None
    type: DocumentType
    title: str
    summary: str
    tags: tuple[str, ...]
    tier: Tier
    archived: bool
    visibility: Visibility
    rev: int
    hash: str
    content_chars: int
    untrusted: bool
    similar_to: str | None
    pinned_by: Author | None
    source_path: str | None
    deleted_at: int | None
    created_at: int
    updated_at: int
    owner: str = ""
    readers: tuple[str, ...] = ()
    content: str | None = None

    @property
    def text(self) -> str:
        """The content; raises ValueError for a row of a list, which was read without it."""
        if self.content is None:
            raise ValueError(f"document {self.id} was read without its content")
        return self.content

    @property
    def origin(self) -> str:
        """Where it comes from, in words for a reader who must judge it: `session as_...`, `file x.md`."""
        if self.session_id:
            return f"session {self.session_id}"
        return f"file {self.source_path}" if self.source_path else "by hand"


@value
class NewDocument:
    """What makes a document; `title` and `content` must hold words.

    `summary` None (or empty) is cut from the content, `summary_length` characters of it. `tags` may also be
    text with commas. `session_id` counts only for a session of the same user. `untrusted`: the run has read
    untrusted text. `recalled` are ids of documents that the run was shown: what stands in one of them already
    is not stored anew. `id` and `created_at` are for imports.
    """

    title: str
    content: str
    type: DocumentType = "document"
    summary: str | None = None
    tags: tuple[str, ...] | str = ()
    session_id: str | None = None
    tier: Tier = "long_term"
    author: Author = "person"
    untrusted: bool = False
    recalled: tuple[str, ...] = ()
    summary_length: int = 200
    source_path: str | None = None
    id: str | None = None
    created_at: int | None = None


@value
class Created:
    """What became of a `NewDocument`: a new document, or an `existing` memory with the same content."""

    document: Document
    existing: bool = False


@value
class DocumentChange:
    """What changes; None leaves a field as it is, an empty summary is cut anew.

    `append` is put on a line of its own after the content. Content that changes without a summary gets a new
    one; with `summary_from_file` (an editor, an import) the old summary beside new content counts as none.
    """

    title: str | None = None
    content: str | None = None
    append: str | None = None
    summary: str | None = None
    tags: tuple[str, ...] | str | None = None
    type: DocumentType | None = None
    untrusted: bool = False
    summary_from_file: bool = False
    summary_length: int = 200


@value
class DocumentFilter:
    """Which documents a list shows; None means any. Times are milliseconds UTC, by `created_at`.

    `query` is literal text in title or content, whatever its capitals (of ASCII). `archived` and `deleted`
    True show only such ones. `page_size` None means all. `cursor` is where an earlier page ended, and beats
    `page`.
    """

    type: DocumentType | None = None
    tag: str | None = None
    since: int | None = None
    until: int | None = None
    session: str | None = None
    tier: Tier | None = None
    archived: bool | None = False
    deleted: bool = False
    query: str | None = None
    reach: Reach = "own"
    sort: Sort = "created"
    page: int = 1
    page_size: int | None = 10
    cursor: str | None = None


@value
class Page:
    """Documents without content. `total` counts all that the filter finds, `cursor` continues after these."""

    items: tuple[Document, ...]
    total: int
    page: int
    page_size: int
    has_more: bool
    cursor: str | None = None


@value
class DocumentVersion:
    """What a document said in revision `rev`, written at `created_at`; the newest is the document itself."""

    document_id: str
    rev: int
    type: DocumentType
    title: str
    summary: str
    tags: tuple[str, ...]
    hash: str
    content_chars: int
    untrusted: bool
    created_at: int
    content: str | None = None


@value
class DocumentStats:
    """How many documents a user has, and how much they hold in code points, versions before now included.

    `total` leaves deleted ones out.
    """

    total: int
    memories: int
    documents: int
    session: int
    long_term: int
    pinned: int
    archived: int
    shared: int
    public: int
    untrusted: int
    deleted: int
    versions: int
    content_chars: int
    version_chars: int
    oldest: int | None
    newest: int | None
