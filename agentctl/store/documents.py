"""Documents as rows: written by their owner, read by whoever `document_access` lets read them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from agentctl.domain.document import Document, DocumentFilter, Page, Reach
from agentctl.domain.document_cursor import cursor_after, read_cursor
from agentctl.store.connection import Database
from agentctl.store.document_access import deleted, readable
from agentctl.store.document_conditions import Values, conditions
from agentctl.store.json_columns import from_json

# Without content: that stands last in a row, and a list never reads it.
COLUMNS = (
    "d.id, d.user_id, d.session_id, d.type, d.tier, d.archived, d.visibility, d.rev, d.hash, d.content_chars,"
    " d.untrusted, d.similar_to, d.pinned_by, d.created_at, d.updated_at, d.deleted_at, d.title, d.tags,"
    " d.source_path, d.summary,"
    " (SELECT u.name FROM users u WHERE u.id = d.user_id) AS owner,"
    " CASE WHEN d.visibility = 'shared' AND d.user_id = :user THEN (SELECT json_group_array(u.name)"
    " FROM agent_document_readers r JOIN users u ON u.id = r.user_id WHERE r.document_id = d.id) END"
    " AS readers"
)
ROWS = f"SELECT {COLUMNS} FROM agent_documents d"
WHOLE = f"SELECT {COLUMNS}, d.content FROM agent_documents d"


class Documents:
    """Documents by id and by filter; the caller of what writes holds the transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def insert(self, document: Document) -> None:
        """Store a new document, readers aside."""
        self.database.execute(
            "INSERT INTO agent_documents (id, user_id, session_id, type, tier, visibility, rev, hash,"
            " content_chars, untrusted, similar_to, pinned_by, created_at, updated_at, title, tags,"
            " source_path, summary, content) VALUES (:id, :user, :session, :type, :tier, :visibility, :rev,"
            " :hash, :chars, :untrusted, :similar, :pinned_by, :created, :updated, :title, :tags, :source,"
            " :summary, :content)",
            _values(document),
        )

    def update(self, document: Document) -> None:
        """Store what the document says now; who may read it and whether it is deleted stay as they are."""
        self.database.execute(
            "UPDATE agent_documents SET type = :type, tier = :tier, archived = :archived, rev = :rev,"
            " hash = :hash, content_chars = :chars, untrusted = :untrusted, pinned_by = :pinned_by,"
            " updated_at = :updated, title = :title, tags = :tags, source_path = :source, summary = :summary,"
            " content = :content WHERE id = :id AND user_id = :user",
            _values(document),
        )

    def place(self, document: Document) -> None:
        """Store tier and archive alone, which are no change of what the document says."""
        self.database.execute(
            "UPDATE agent_documents SET tier = :tier, archived = :archived, pinned_by = :pinned_by"
            " WHERE id = :id AND user_id = :user",
            {
                "tier": document.tier,
                "archived": document.archived,
                "pinned_by": document.pinned_by,
                "id": document.id,
                "user": document.user_id,
            },
        )

    def get(self, user_id: int, document_id: str, reach: Reach = "own") -> Document | None:
        """The document with its content, where this user may read it."""
        row = self.database.one(
            f"{WHOLE} WHERE d.id = :id AND {readable(reach)}", {"id": document_id, "user": user_id}
        )
        return None if row is None else to_document(row, user_id)

    def matching(
        self, user_id: int, given: str, shortest: int, reach: Reach, *, of_deleted: bool = False
    ) -> list[str]:
        """This id alone, or up to five that start or end with it, if it has `shortest` characters."""
        who = deleted() if of_deleted else readable(reach)
        found = f"SELECT d.id FROM agent_documents d WHERE {who} AND"
        values = {"user": user_id, "given": given, "length": len(given)}
        rows = self.database.execute(f"{found} d.id = :given", values).fetchall()
        if not rows and len(given) >= shortest:
            part = "(substr(d.id, 1, :length) = :given OR substr(d.id, -:length) = :given) LIMIT 5"
            rows = self.database.execute(f"{found} {part}", values).fetchall()
        return [row["id"] for row in rows]

    def last(self, user_id: int) -> str | None:
        """The id of the user's document that was changed last, archived ones aside; of two, the newer one."""
        row = self.database.one(
            f"SELECT d.id FROM agent_documents d WHERE {readable('own')} AND d.archived = 0"
            " ORDER BY d.updated_at DESC, d.rowid DESC LIMIT 1",
            {"user": user_id},
        )
        return row["id"] if row else None

    def page(self, user_id: int, wanted: DocumentFilter) -> Page:
        """One page, in two queries; `wanted.cursor` must be one of this order."""
        where, values = conditions(user_id, wanted)
        row = self.database.one(f"SELECT count(*) FROM agent_documents d WHERE {where}", values)
        total = row[0] if row else 0
        size = total if wanted.page_size is None else wanted.page_size
        items = self._rows(user_id, wanted, size + 1, where, values)
        has_more = len(items) > size
        items = items[:size]
        cursor = cursor_after(items[-1], wanted.sort) if has_more and items else None
        return Page(tuple(items), total, wanted.page, size, has_more, cursor)

    def _rows(
        self, user_id: int, wanted: DocumentFilter, limit: int, where: str, values: Values
    ) -> list[Document]:
        column = "updated_at" if wanted.sort == "updated" else "created_at"
        offset = (wanted.page - 1) * (limit - 1)
        cursor = read_cursor(wanted.cursor) if wanted.cursor else None
        if cursor:
            where += f" AND (d.{column}, d.id) < (:at, :last)"
            values = {**values, "at": cursor.at, "last": cursor.id}
            offset = 0
        order = f"ORDER BY d.{column} DESC, d.id DESC"
        # Found by ids alone first: what is sorted or skipped is not read.
        rows = self.database.execute(
            f"{ROWS} JOIN (SELECT d.id AS found FROM agent_documents d WHERE {where} {order}"
            f" LIMIT :limit OFFSET :offset) ON found = d.id {order}",
            {**values, "limit": limit, "offset": offset},
        )
        return [to_document(row, user_id) for row in rows]

    def pinned(self, user_id: int) -> list[Document]:
        """The user's pinned documents with their contents, the one pinned longest unchanged first."""
        rows = self.database.execute(
            f"{WHOLE} WHERE {readable('own')} AND d.tier = 'pinned' AND d.archived = 0"
            " ORDER BY d.updated_at, d.id",
            {"user": user_id},
        )
        return [to_document(row, user_id) for row in rows]

    def exists(self, document_id: str) -> bool:
        """Whether the id is taken, by anybody's document, deleted ones included."""
        return self.database.one("SELECT 1 FROM agent_documents WHERE id = ?", (document_id,)) is not None


def to_document(row: sqlite3.Row, viewer: int) -> Document:
    """A row of `ROWS` or `WHOLE`; where it comes from and how it is kept is told to its owner only."""
    own = row["user_id"] == viewer
    return Document(
        id=row["id"],
        user_id=row["user_id"],
        session_id=row["session_id"] if own else None,
        type=row["type"],
        title=row["title"],
        summary=row["summary"] or "",
        tags=split_tags(row["tags"]),
        tier=row["tier"],
        archived=bool(row["archived"]),
        visibility=row["visibility"],
        rev=row["rev"],
        hash=row["hash"],
        content_chars=row["content_chars"],
        untrusted=bool(row["untrusted"]),
        similar_to=row["similar_to"] if own else None,
        pinned_by=row["pinned_by"] if own else None,
        source_path=row["source_path"] if own else None,
        deleted_at=row["deleted_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        owner=row["owner"],
        readers=tuple(sorted(from_json(row["readers"]) or ())),
        content=row["content"] if "content" in row.keys() else None,  # noqa: SIM118
    )


def split_tags(tags: str | None) -> tuple[str, ...]:
    """The tags of a column."""
    return tuple(tags.split(",")) if tags else ()


def join_tags(tags: Sequence[str]) -> str | None:
    """The tags as a column."""
    return ",".join(tags) or None


def _values(document: Document) -> Values:
    return {
        "id": document.id,
        "user": document.user_id,
        "session": document.session_id,
        "type": document.type,
        "tier": document.tier,
        "archived": document.archived,
        "visibility": document.visibility,
        "rev": document.rev,
        "hash": document.hash,
        "chars": document.content_chars,
        "untrusted": document.untrusted,
        "similar": document.similar_to,
        "pinned_by": document.pinned_by,
        "created": document.created_at,
        "updated": document.updated_at,
        "title": document.title,
        "tags": join_tags(document.tags),
        "source": document.source_path,
        "summary": document.summary,
        "content": document.text,
    }
