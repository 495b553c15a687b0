"""Documents as the text of files: what of them stands there, and what is made of it again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agentctl.documents.heading import find_heading
from agentctl.domain.document import DOCUMENT_TYPES, TIERS, Document, NewDocument
from agentctl.domain.ids import rfc3339
from agentctl.errors import ConfigError, UsageError
from agentctl.formats.front_matter import split
from agentctl.formats.text import TextError, decode, read_bytes

# The longest content in its widest characters, and a head.
LARGEST = 4_000_000
KNOWN = frozenset(
    {
        *("id", "type", "title", "summary", "tags", "tier", "archived", "untrusted", "session_id"),
        *("created_at", "updated_at", "content"),
    }
)


def read_text(path: str) -> str:
    """A file as it is, without a byte order mark. Raises NotFound, and UsageError with the byte at fault."""
    try:
        data = read_bytes(Path(path), path, LARGEST)
    except ConfigError as error:
        raise UsageError(error.message, hint=error.hint) from None
    return to_text(data, path)


def to_text(data: bytes, name: str) -> str:
    """Bytes as text; raises UsageError for what is no UTF-8, or holds NUL as binary files do."""
    place = data.find(b"\0")
    if place >= 0:
        raise UsageError(f"{name}: not text: a NUL byte at offset {place}", hint="Is it the right file?")
    try:
        return decode(data)
    except TextError as error:
        raise UsageError(f"{name}: {error.message}") from None


def to_fields(document: Document) -> dict[str, Any]:
    """What a file says of a document besides its content; who may read it is for no file."""
    fields = {
        "id": document.id,
        "type": document.type,
        "title": document.title,
        "tags": list(document.tags),
        "summary": document.summary,
        "tier": document.tier,
        "archived": document.archived,
        "untrusted": document.untrusted,
        "session_id": document.session_id,
        "created_at": rfc3339(document.created_at),
        "updated_at": rfc3339(document.updated_at),
    }
    return {name: each for name, each in fields.items() if each not in (None, False, [])}


def from_markdown(text: str, name: str) -> tuple[NewDocument, Mapping[str, Any]]:
    """The document in a Markdown file, and the fields of its head. Raises UsageError."""
    fields, content = split(text, name)
    return from_fields({**fields, "content": content}, name), fields


def from_fields(fields: Mapping[str, Any], name: str) -> NewDocument:
    """The document that `fields` make; the first heading or line stands in for a title.

    `name` is the place in errors: UsageError for a field that is not what it has to be.
    """
    content = _text(fields, "content", name) or ""
    title = _text(fields, "title", name)
    created = _text(fields, "created_at", name)
    return NewDocument(
        title=find_heading(content) if title is None else title,
        content=content,
        type=_choice(fields, "type", DOCUMENT_TYPES, name) or "document",
        summary=_text(fields, "summary", name),
        tags=_tags(fields, name),
        tier=_choice(fields, "tier", TIERS, name) or "long_term",
        untrusted=_truth(fields, "untrusted", name),
        id=_text(fields, "id", name),
        created_at=None if created is None else _time(created, name),
    )


def _text(fields: Mapping[str, Any], field: str, name: str) -> str | None:
    given = fields.get(field)
    if given is not None and not isinstance(given, str):
        raise UsageError(f"{name}: {field} is no text", hint="Put it in quotes.")
    return given


def _tags(fields: Mapping[str, Any], name: str) -> tuple[str, ...] | str:
    given = fields.get("tags")
    if given is None or isinstance(given, str):
        return given or ()
    if isinstance(given, list) and all(isinstance(each, str) for each in given):
        return tuple(given)
    raise UsageError(f"{name}: tags is no list of texts", hint="Such as [rice, 做饭]; quote numbers.")


def _choice(fields: Mapping[str, Any], field: str, choices: tuple[Any, ...], name: str) -> Any:
    given = fields.get(field)
    if given is not None and given not in choices:
        raise UsageError(f"{name}: {field} is none of {', '.join(choices)}")
    return given


def _truth(fields: Mapping[str, Any], field: str, name: str) -> bool:
    given = fields.get(field)
    if given is not None and not isinstance(given, bool):
        raise UsageError(f"{name}: {field} is neither true nor false")
    return bool(given)


def is_archived(fields: Mapping[str, Any], name: str) -> bool:
    """Whether a file says that its document is out of the way."""
    return _truth(fields, "archived", name)


def _time(text: str, name: str) -> int:
    try:
        time = datetime.fromisoformat(text)
        aware = time if time.tzinfo else time.replace(tzinfo=UTC)
        # Not through a float, which loses milliseconds.
        since = aware - datetime(1970, 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError):
        raise UsageError(
            f"{name}: created_at is no time", hint="Write it like 2026-11-30T17:50:20Z."
        ) from None
    milliseconds = (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000
    if milliseconds < 0:
        raise UsageError(f"{name}: created_at lies before 1970")
    return milliseconds
