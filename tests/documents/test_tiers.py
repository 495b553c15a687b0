"""Pinned ones have a cap, session ones end with their session, and no agent pins what strangers wrote."""

from __future__ import annotations

import pytest

from agentctl.documents.faults import InvalidDocument, PinnedFull
from agentctl.documents.service import DocumentService
from agentctl.domain.document import DocumentChange, DocumentFilter, NewDocument
from agentctl.domain.document_limits import DOCUMENT_SETTINGS
from agentctl.domain.ids import drawn_from, now_ms
from agentctl.domain.source import Source
from agentctl.domain.tokens import estimate_tokens

DAY = 86_400_000


def ids(service, user, **fields: object) -> set[str]:
    return {document.id for document in service.list(user, DocumentFilter(**fields)).items}


def test_a_document_is_pinned_archived_and_promoted(service, ann, make) -> None:
    document = make("one")
    pinned = service.tiers.pin(ann, document.id)
    assert (pinned.tier, pinned.pinned_by) == ("pinned", "person")
    assert service.pinned(ann) == (pinned,)
    archived = service.tiers.archive(ann, document.id)
    assert (archived.tier, archived.archived, archived.pinned_by) == ("long_term", True, None)
    assert service.pinned(ann) == ()
    assert ids(service, ann) == set()
    assert ids(service, ann, archived=True) == ids(service, ann, archived=None) == {document.id}
    assert service.tiers.promote(ann, document.id) == document
    assert ids(service, ann) == {document.id}


def test_pinned_documents_have_a_cap_together(service, store, ann, make) -> None:
    words = "one two three four five six seven eight nine ten"
    store.settings.set(DOCUMENT_SETTINGS, f'{{"pinned_tokens": {2 * estimate_tokens(words)}}}')
    first = make(words, type="memory", tier="pinned")
    second = make(words.replace("one", "two"))
    service.tiers.pin(ann, second.id)
    third = make("three")
    for act in (
        lambda: service.tiers.pin(ann, third.id),
        lambda: service.update(ann, first.id, DocumentChange(append="more")),
        lambda: make("four", tier="pinned"),
    ):
        with pytest.raises(PinnedFull, match="pinned documents may hold"):
            act()
    assert len(service.pinned(ann)) == 2
    assert service.read(ann, first.id).text == words
    # What is pinned already is not counted twice.
    assert service.tiers.pin(ann, first.id).tier == "pinned"


def test_no_agent_pins_what_untrusted_text_had_a_hand_in(service, ann, make) -> None:
    with pytest.raises(InvalidDocument, match="is not pinned by itself"):
        make("evil", type="memory", tier="pinned", author="agent", untrusted=True)
    document = make("evil", type="memory", author="agent", untrusted=True)
    with pytest.raises(InvalidDocument, match="is not pinned by an agent"):
        service.tiers.pin(ann, document.id, author="agent")
    assert service.tiers.pin(ann, document.id).pinned_by == "person"


def test_a_pinned_document_that_untrusted_text_changes_is_pinned_no_more(service, ann, make) -> None:
    document = make("good", type="memory", tier="pinned", author="agent")
    changed = service.update(ann, document.id, DocumentChange(append="evil", untrusted=True))
    assert (changed.tier, changed.pinned_by, changed.untrusted) == ("long_term", None, True)
    # The mark stays: a later change does not make the words of strangers trusted.
    assert service.update(ann, document.id, DocumentChange(append="good again")).untrusted
    restored = service.history.restore(ann, document.id, 1)
    assert not restored.untrusted


def test_a_session_memory_needs_a_session_and_is_a_memory(make, session) -> None:
    assert make("one", type="memory", tier="session", session_id=session).tier == "session"
    for fields in ({"type": "memory"}, {"type": "document", "session_id": session}):
        with pytest.raises(InvalidDocument, match="only a memory can belong to a session"):
            make("two", tier="session", **fields)


def test_a_session_memory_does_not_become_a_document_of_that_session(service, ann, make, session) -> None:
    memory = make("one", type="memory", tier="session", session_id=session)
    with pytest.raises(InvalidDocument):
        service.update(ann, memory.id, DocumentChange(type="document"))
    service.tiers.promote(ann, memory.id)
    assert service.update(ann, memory.id, DocumentChange(type="document")).type == "document"


def test_the_memories_of_a_deleted_session_are_archived(service, store, ann, make, session) -> None:
    passing = make("one", type="memory", tier="session", session_id=session)
    lasting = make("two", type="memory", session_id=session)
    store.database.execute("DELETE FROM agent_sessions WHERE id = ?", (session,))
    assert ids(service, ann) == {lasting.id}
    kept = service.read(ann, passing.id)
    assert (kept.archived, kept.tier, kept.session_id) == (True, "session", None)
    assert service.tiers.promote(ann, passing.id).tier == "long_term"


def test_the_memories_of_an_idle_session_are_archived(service, store, index, ann, make, session) -> None:
    memory = make("one", type="memory", tier="session", session_id=session)
    for days, live in ((29.9, {memory.id}), (30.1, set())):
        with drawn_from(Source("later", now_ms() + int(days * DAY), waits=True)):
            assert ids(DocumentService(store, index), ann) == live


def test_days_of_idleness_are_a_setting(service, store, index, ann, make, session) -> None:
    make("one", type="memory", tier="session", session_id=session)
    store.settings.set(DOCUMENT_SETTINGS, '{"session_days": 2}')
    with drawn_from(Source("later", now_ms() + 3 * DAY, waits=True)):
        assert ids(DocumentService(store, index), ann) == set()


def test_an_agent_says_who_wrote_a_pinned_memory(service, ann) -> None:
    made = service.create(ann, NewDocument("t", "x", type="memory", tier="pinned", author="agent")).document
    assert made.pinned_by == "agent"
