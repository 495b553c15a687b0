"""Documents, their versions and their numbers as rows of the output."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agentctl.domain.document import Document, DocumentStats, DocumentVersion
from agentctl.domain.ids import rfc3339

COLUMNS = ("id", "type", "title", "tags", "tier", "updated_at", "summary")
CHANGED = ("id", "title", "type", "tags", "tier", "archived", "visibility", "rev")


def row(document: Document) -> dict[str, Any]:
    """A document in a list: everything but its content."""
    return {
        "id": document.id,
        "type": document.type,
        "title": document.title,
        "tags": list(document.tags),
        "tier": document.tier,
        "archived": document.archived,
        "visibility": document.visibility,
        "owner": document.owner,
        "session_id": document.session_id,
        "untrusted": document.untrusted,
        "rev": document.rev,
        "content_chars": document.content_chars,
        "created_at": rfc3339(document.created_at),
        "updated_at": rfc3339(document.updated_at),
        "deleted_at": None if document.deleted_at is None else rfc3339(document.deleted_at),
        "summary": document.summary,
    }


def details(document: Document) -> dict[str, Any]:
    """A document by itself, with its content."""
    return {
        **row(document),
        "readers": list(document.readers),
        "similar_to": document.similar_to,
        "pinned_by": document.pinned_by,
        "source_path": document.source_path,
        "hash": document.hash,
        "content": document.text,
    }


def changed(document: Document) -> dict[str, Any]:
    """What a command that changed a document answers."""
    shown = row(document)
    readers = {"readers": list(document.readers)} if document.readers else {}
    return {**{name: shown[name] for name in CHANGED}, **readers}


def version_row(version: DocumentVersion) -> dict[str, Any]:
    """A version in the list of a history."""
    return {
        "rev": version.rev,
        "created_at": rfc3339(version.created_at),
        "type": version.type,
        "title": version.title,
        "tags": list(version.tags),
        "content_chars": version.content_chars,
        "untrusted": version.untrusted,
        "summary": version.summary,
    }


def stats_row(stats: DocumentStats) -> dict[str, Any]:
    """The numbers, times spelt out."""
    times = {
        name: None if (at := getattr(stats, name)) is None else rfc3339(at) for name in ("oldest", "newest")
    }
    return {**asdict(stats), **times}
