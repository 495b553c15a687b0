"""Who may see which document: the one place where that is decided."""

from __future__ import annotations

from agentctl.domain.document import Reach

_OWN = "{d}.user_id = :user"
# Readers are kept only while a document is shared with them.
_SHARED = "{d}.id IN (SELECT r.document_id FROM agent_document_readers r WHERE r.user_id = :user)"
_PUBLIC = "{d}.visibility = 'public'"


def readable(reach: Reach, alias: str = "d") -> str:
    """The condition for rows of `agent_documents` that the user `:user` may read; deleted ones never.

    To be joined with AND into every query that shows anything of a document.
    """
    ways = {"own": [_OWN], "shared": [_OWN, _SHARED], "public": [_OWN, _SHARED, _PUBLIC]}[reach]
    return f"({' OR '.join(ways)}) AND {{d}}.deleted_at IS NULL".format(d=alias)


def deleted(alias: str = "d") -> str:
    """The condition for rows that the user `:user` deleted and may take back."""
    return f"{_OWN} AND {{d}}.deleted_at IS NOT NULL".format(d=alias)
