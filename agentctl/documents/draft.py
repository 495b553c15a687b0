"""What a document will say: made from what was asked for, checked, and not stored yet."""

from __future__ import annotations

from dataclasses import replace

from agentctl.documents.checks import check_content, check_summary, check_tags, check_title, hash_content
from agentctl.documents.faults import InvalidDocument
from agentctl.domain.document import Document, DocumentChange, DocumentVersion, NewDocument
from agentctl.domain.ids import new_id, now_ms


def draft(user_id: int, new: NewDocument, session_id: str | None, most: int) -> Document:
    """The document that `new` makes; `session_id` is a session of the same user, `most` bounds the content.

    Raises InvalidDocument and ContentTooLong.
    """
    content = check_content(new.content, most)
    if new.tier == "session" and (new.type != "memory" or session_id is None):
        raise InvalidDocument("only a memory can belong to a session, and it needs one of the same user")
    if new.tier == "pinned" and new.untrusted and new.author == "agent":
        raise InvalidDocument(
            "what an agent stores after it read untrusted text is not pinned by itself",
            hint="Store it as long_term; a person may pin it.",
        )
    now = now_ms()
    return Document(
        id=new.id or new_id("ad"),
        user_id=user_id,
        session_id=session_id,
        type=new.type,
        title=check_title(new.title),
        summary=check_summary(new.summary, content, new.summary_length),
        tags=check_tags(new.tags),
        tier=new.tier,
        archived=False,
        visibility="private",
        rev=1,
        hash=hash_content(content),
        content_chars=len(content),
        untrusted=new.untrusted,
        similar_to=None,
        pinned_by=new.author if new.tier == "pinned" else None,
        source_path=new.source_path,
        deleted_at=None,
        created_at=now if new.created_at is None else new.created_at,
        updated_at=now,
        content=content,
    )


def revise(before: Document, change: DocumentChange, most: int) -> Document:
    """What `before` says after the change, in its next revision; `before` itself where nothing changes.

    What untrusted text may have had a hand in is marked, and no longer pinned: pinned words stand before the
    model in every run. Raises InvalidDocument and ContentTooLong.
    """
    content = _content(before, change, most)
    summary = change.summary
    if summary is None and content == before.text:
        summary = before.summary
    elif change.summary_from_file and summary == before.summary and content != before.text:
        summary = None
    after = replace(
        before,
        type=change.type or before.type,
        title=before.title if change.title is None else check_title(change.title),
        content=content,
        summary=check_summary(summary, content, change.summary_length),
        tags=before.tags if change.tags is None else check_tags(change.tags),
    )
    if after == before:
        return before
    return advance(after, untrusted=before.untrusted or change.untrusted, spoilt=change.untrusted)


def revert(before: Document, version: DocumentVersion) -> Document:
    """What an earlier version said, as the next revision; `before` itself where it says just that."""
    after = replace(
        before,
        type=version.type,
        title=version.title,
        content=version.content,
        summary=version.summary,
        tags=version.tags,
    )
    if after == before:
        return before
    return advance(after, untrusted=version.untrusted, spoilt=version.untrusted)


def advance(after: Document, *, untrusted: bool, spoilt: bool) -> Document:
    """`after` as a revision of its own; `spoilt` says that untrusted text came in with it."""
    if after.type != "memory" and after.tier == "session":
        raise InvalidDocument("only a memory can belong to a session", hint="agentctl docs promote keeps it.")
    unpinned = spoilt and after.tier == "pinned"
    return replace(
        after,
        rev=after.rev + 1,
        hash=hash_content(after.text),
        content_chars=len(after.text),
        untrusted=untrusted,
        tier="long_term" if unpinned else after.tier,
        pinned_by=None if unpinned else after.pinned_by,
        # A clock that was set back must not move it down in a list.
        updated_at=max(now_ms(), after.updated_at),
    )


def _content(before: Document, change: DocumentChange, most: int) -> str:
    content = before.text if change.content is None else change.content
    if change.append is not None:
        content += ("" if content.endswith("\n") else "\n") + change.append
    # What is there already may be longer than what may be written now.
    return content if content == before.text else check_content(content, most)
