"""A delete hides at once and can be taken back; what is removed for good leaves no copy."""

from __future__ import annotations

import json

import pytest

from agentctl.documents.blanking import GONE
from agentctl.documents.faults import DocumentNotFound, PinnedFull
from agentctl.documents.service import DocumentService
from agentctl.domain.document import DocumentChange, DocumentFilter
from agentctl.domain.document_limits import DOCUMENT_SETTINGS
from agentctl.domain.ids import drawn_from, now_ms
from agentctl.domain.source import Source

DAY = 86_400_000


def later(days: float) -> Source:
    """A clock that many days ahead."""
    return Source("later", now_ms() + int(days * DAY), waits=True)


def test_a_deleted_document_is_hidden_from_everybody_at_once(service, ann, bob, make, index) -> None:
    document = make("one")
    service.sharing.set(ann, document.id, "public")
    service.trash.delete(ann, [document.id])
    for user in (ann, bob):
        for reach in ("own", "shared", "public"):
            with pytest.raises(DocumentNotFound):
                service.read(user, document.id, reach=reach)
            assert service.list(user, DocumentFilter(reach=reach)).items == ()
    for act in (
        lambda: service.update(ann, document.id, DocumentChange(title="x")),
        lambda: service.history.list(ann, document.id),
        lambda: service.tiers.pin(ann, document.id),
        lambda: service.trash.delete(ann, [document.id]),
        lambda: service.trash.hard_delete(ann, [document.id]),
    ):
        with pytest.raises(DocumentNotFound):
            act()
    assert index.contents == {}
    (listed,) = service.list(ann, DocumentFilter(deleted=True)).items
    assert listed.id == document.id
    assert listed.deleted_at is not None


def test_a_delete_can_be_taken_back(service, ann, make, index) -> None:
    document = make("one", tags="a")
    service.trash.delete(ann, [document.id])
    assert service.trash.undelete(ann, document.id) == document
    assert service.read(ann, document.id) == document
    assert index.contents == {document.id: "one"}
    with pytest.raises(DocumentNotFound):
        service.trash.undelete(ann, document.id)


def test_a_pinned_document_comes_back_only_where_there_is_room(service, store, ann, make) -> None:
    store.settings.set(DOCUMENT_SETTINGS, '{"pinned_tokens": 8}')
    document = make("one two three four five", type="memory", tier="pinned")
    service.trash.delete(ann, [document.id])
    make("six seven eight nine ten", type="memory", tier="pinned")
    with pytest.raises(PinnedFull):
        service.trash.undelete(ann, document.id)


def test_one_that_is_missing_stops_the_deletion_of_all(service, ann, make, index) -> None:
    document = make("one")
    for act in (service.trash.delete, service.trash.hard_delete):
        with pytest.raises(DocumentNotFound):
            act(ann, [document.id, "ad_missing"])
    assert service.read(ann, document.id) == document
    assert index.contents == {document.id: "one"}


def tables_with(store, words: str) -> set[str]:
    """The tables of the database in which `words` stand anywhere."""
    found = set()
    names = [
        row["name"] for row in store.database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    for name in names:
        for row in store.database.execute(f"SELECT * FROM {name}"):
            if any(words in str(value) for value in tuple(row)):
                found.add(name)
    return found


@pytest.fixture
def call(store, ann, session):
    """Store a call of a tool by ann: `call(arguments, data, output)`; returns its id."""
    store.database.execute(
        "INSERT INTO agent_runs (id, session_id, user_id, agent_slug, status, model, cwd, created_at)"
        " VALUES ('ar_1', ?, ?, 'default', 'done', 'm', '/', 1)",
        (session, ann),
    )
    store.database.execute(
        "INSERT INTO agent_messages (id, session_id, seq, role, parts, created_at)"
        " VALUES ('am_1', ?, 1, 'assistant', '[]', 1)",
        (session,),
    )
    count = iter(range(100))

    def write(arguments: object, data: object) -> str:
        number = next(count)
        call_id = f"call_{number}"
        result = {"success": True, "data": data, "error": None, "metadata": {}}
        store.database.execute(
            "INSERT INTO agent_tool_calls (id, run_id, message_id, ordinal, tool_slug, arguments, status,"
            " result, output, created_at) VALUES (?, 'ar_1', 'am_1', ?, 'document', ?, 'done', ?, ?, 1)",
            (call_id, number, json.dumps(arguments), json.dumps(result), json.dumps(data)),
        )
        store.database.execute(
            "INSERT INTO agent_approvals (id, kind, session_id, run_id, call_id, agent_slug, tool_slug,"
            " arguments, tool_revision, hash, status, created_at, expires_at)"
            " VALUES (?, 'call', ?, 'ar_1', ?, 'default', 'document', ?, '', '', 'consumed', 1, 1)",
            (f"ap_{number}", session, call_id, json.dumps(arguments)),
        )
        for place, (kind, event) in enumerate(
            [("tool.call", {"arguments": arguments}), ("tool.result", {"success": True, "data": data})]
        ):
            store.database.execute(
                "INSERT INTO agent_run_events VALUES ('ar_1', ?, 1, ?, ?)",
                (2 * number + place, kind, json.dumps({"call_id": call_id, **event})),
            )
        return call_id

    return write


@pytest.mark.parametrize("way", ["hard_delete", "purge", "empty"])
def test_what_is_removed_for_good_leaves_no_copy(service, store, ann, make, call, index, way) -> None:
    document, other = make("SECRET words", title="SECRET title"), make("KEPT words")
    service.update(ann, document.id, DocumentChange(append="SECRET more"))
    made = call(
        {"action": "create", "title": "SECRET title", "content": "SECRET words"},
        {"id": document.id, "title": "SECRET title", "type": "document"},
    )
    call({"action": "update", "id": document.id, "tags": "SECRET"}, {"id": document.id})
    call({"action": "read", "id": document.id}, {"id": document.id, "content": "SECRET words"})
    listed = call(
        {"action": "list", "q": "asked"},
        {"items": [{"id": document.id, "title": "SECRET"}, {"id": other.id, "title": "KEPT"}]},
    )
    unrelated = call({"action": "read", "id": other.id}, {"id": other.id, "content": "KEPT words"})
    assert len(tables_with(store, "SECRET")) > 3
    if way == "hard_delete":
        assert service.trash.hard_delete(ann, [document.id]) == 4
    else:
        service.trash.delete(ann, [document.id])
        if way == "purge":
            assert service.trash.purge(ann, [document.id]) == 4
        else:
            with drawn_from(later(31)):
                DocumentService(store, index).list(ann, DocumentFilter())
    assert tables_with(store, "SECRET") == set()
    assert index.contents == {other.id: "KEPT words"}
    rows = {row["id"]: row for row in store.database.execute("SELECT * FROM agent_tool_calls")}
    assert json.loads(rows[made]["arguments"]) == {"action": "create", "title": "***", "content": "***"}
    assert rows[made]["output"] == GONE
    assert json.loads(rows[listed]["arguments"])["q"] == "asked"
    assert "KEPT" in rows[listed]["result"]
    assert "KEPT words" in rows[unrelated]["output"]
    assert store.database.one("SELECT 1 FROM agent_document_versions") is None


def test_only_what_was_deleted_is_purged(service, ann, make) -> None:
    document = make("one")
    with pytest.raises(DocumentNotFound):
        service.trash.purge(ann, [document.id])
    assert service.read(ann, document.id) == document


def test_a_delete_can_be_taken_back_for_thirty_days(service, store, index, ann, make) -> None:
    document = make("one")
    service.trash.delete(ann, [document.id])
    with drawn_from(later(29.9)):
        other = DocumentService(store, index)
        other.tend(ann)
        assert other.list(ann, DocumentFilter(deleted=True)).total == 1
    with drawn_from(later(30.1)):
        other = DocumentService(store, index)
        other.tend(ann)
        assert other.list(ann, DocumentFilter(deleted=True)).total == 0
