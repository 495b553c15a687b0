"""How many documents a user has, and how much they hold."""

from __future__ import annotations

from agentctl.domain.document import DocumentStats
from agentctl.store.connection import Database

_SQL = """
SELECT
    count(*) FILTER (WHERE live) AS total,
    count(*) FILTER (WHERE live AND type = 'memory') AS memories,
    count(*) FILTER (WHERE live AND type = 'document') AS documents,
    count(*) FILTER (WHERE live AND tier = 'session') AS session,
    count(*) FILTER (WHERE live AND tier = 'long_term') AS long_term,
    count(*) FILTER (WHERE live AND tier = 'pinned') AS pinned,
    count(*) FILTER (WHERE live AND archived) AS archived,
    count(*) FILTER (WHERE live AND visibility = 'shared') AS shared,
    count(*) FILTER (WHERE live AND visibility = 'public') AS public,
    count(*) FILTER (WHERE live AND untrusted) AS untrusted,
    count(*) FILTER (WHERE NOT live) AS deleted,
    ifnull(sum(content_chars) FILTER (WHERE live), 0) AS content_chars,
    min(created_at) FILTER (WHERE live) AS oldest,
    max(created_at) FILTER (WHERE live) AS newest
FROM (SELECT *, deleted_at IS NULL AS live FROM agent_documents WHERE user_id = :user)
"""


def count_documents(database: Database, user_id: int) -> DocumentStats:
    """The numbers of this user's own documents."""
    (row,) = database.execute(_SQL, {"user": user_id})
    (kept,) = database.execute(
        "SELECT count(*) AS versions, ifnull(sum(v.content_chars), 0) AS version_chars"
        " FROM agent_document_versions v JOIN agent_documents d ON d.id = v.document_id WHERE d.user_id = ?",
        (user_id,),
    )
    return DocumentStats(**dict(row), **dict(kept))
