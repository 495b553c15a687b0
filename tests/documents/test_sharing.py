"""Who reads what: the owner, whom he shares with, everybody; and nobody but the owner ever writes."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from agentctl.documents.faults import DocumentNotFound, InvalidDocument, NeedsUser
from agentctl.documents.sharing import read_visibility
from agentctl.domain.document import DocumentChange, DocumentFilter, NewDocument
from agentctl.errors import NotFound, UsageError

SECRET = "SECRET"


def ids(service, user, **fields: object) -> set[str]:
    return {document.id for document in service.list(user, DocumentFilter(**fields)).items}


def test_a_private_document_is_its_owners_alone(service, ann, bob, make) -> None:
    document = make()
    for reach in ("own", "shared", "public"):
        assert ids(service, bob, reach=reach) == set()
        assert ids(service, ann, reach=reach) == {document.id}


def test_a_shared_document_is_read_where_its_readers_ask_for_it(service, store, ann, bob, make) -> None:
    eve = store.users.ensure("eve").id
    document = make()
    shared = service.sharing.set(ann, document.id, "shared", ["bob", "bob", "ann"])
    assert (shared.visibility, shared.readers) == ("shared", ("bob",))
    assert [ids(service, bob, reach=reach) == {document.id} for reach in ("own", "shared", "public")] == [
        False,
        True,
        True,
    ]
    assert all(ids(service, eve, reach=reach) == set() for reach in ("own", "shared", "public"))
    assert service.read(bob, document.id, reach="shared").text == document.text
    assert service.find(bob, document.id[-6:], reach="shared") == document.id
    with pytest.raises(DocumentNotFound):
        service.read(bob, document.id)


def test_a_public_document_is_read_by_all_where_they_ask_for_it(service, ann, bob, make) -> None:
    document = make()
    service.sharing.set(ann, document.id, "public")
    assert [len(ids(service, bob, reach=reach)) for reach in ("own", "shared", "public")] == [0, 0, 1]


def test_what_is_taken_back_is_read_no_more(service, ann, bob, make) -> None:
    document = make()
    service.sharing.set(ann, document.id, "shared", ["bob"])
    service.sharing.set(ann, document.id, "public")
    assert ids(service, bob, reach="shared") == set()
    private = service.sharing.set(ann, document.id, "private")
    assert (private.visibility, private.readers) == ("private", ())
    assert ids(service, bob, reach="public") == set()


def test_a_reader_is_not_told_what_concerns_the_owner_alone(service, ann, bob, session, make) -> None:
    make("much the same words", type="memory")
    document = make("much the same words!", type="memory", session_id=session, source_path="/home/ann/x.md")
    assert document.similar_to is not None
    service.sharing.set(ann, document.id, "shared", ["bob"])
    seen = service.read(bob, document.id, reach="shared")
    assert (seen.session_id, seen.source_path, seen.similar_to, seen.readers) == (None, None, None, ())
    assert seen.owner == "ann"
    assert ids(service, bob, reach="shared", session=session) == set()
    assert service.read(ann, document.id).readers == ("bob",)


def test_an_unknown_reader_is_named(service, ann, make) -> None:
    document = make()
    with pytest.raises(NotFound, match="no user carl, \ufffd"):
        service.sharing.set(ann, document.id, "shared", ["bob", "carl", "\ud800"][1:])
    for nobody in ([], ["ann"]):
        with pytest.raises(InvalidDocument, match="needs a reader"):
            service.sharing.set(ann, document.id, "shared", nobody)
    assert service.read(ann, document.id).visibility == "private"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("private", ("private", ())),
        ("public", ("public", ())),
        ("shared:bob", ("shared", ("bob",))),
        ("shared: bob , 李 ", ("shared", ("bob", "李"))),
    ],
)
def test_visibility_is_read_from_a_word(text: str, read: object) -> None:
    assert read_visibility(text) == read


@pytest.mark.parametrize("text", ["", "shared", "shared:", "shared:,", "public:bob", "private:bob", "open"])
def test_other_words_are_no_visibility(text: str) -> None:
    with pytest.raises(UsageError):
        read_visibility(text)


# Every public function of the service that takes a document, as somebody else would call it.
ACTS: dict[str, Callable[..., object]] = {
    "find": lambda service, user, given: service.find(user, given),
    "read": lambda service, user, given: service.read(user, given),
    "update": lambda service, user, given: service.update(user, given, DocumentChange(title="mine")),
    "folders.rename": lambda service, user, given: service.folders.rename(
        user, [(given, "mine")], untrusted=False
    ),
    "history.diff": lambda service, user, given: service.history.diff(user, given, 1),
    "history.list": lambda service, user, given: service.history.list(user, given),
    "history.restore": lambda service, user, given: service.history.restore(user, given, 1),
    "history.version": lambda service, user, given: service.history.version(user, given, 1),
    "sharing.set": lambda service, user, given: service.sharing.set(user, given, "public"),
    "tiers.archive": lambda service, user, given: service.tiers.archive(user, given),
    "tiers.pin": lambda service, user, given: service.tiers.pin(user, given),
    "tiers.promote": lambda service, user, given: service.tiers.promote(user, given),
    "trash.delete": lambda service, user, given: service.trash.delete(user, [given]),
    "trash.hard_delete": lambda service, user, given: service.trash.hard_delete(user, [given]),
    "trash.purge": lambda service, user, given: service.trash.purge(user, [given]),
    "trash.undelete": lambda service, user, given: service.trash.undelete(user, given),
}
# Those that take none: what they give or do is looked at below.
OTHERS = {
    "create",
    "folders.at",
    "folders.below",
    "imports.match",
    "imports.put",
    "list",
    "pinned",
    "stats",
    "tend",
    "tiers.archive_idle",
    "trash.empty",
}


def walk(service) -> set[str]:
    """The names of all public functions of the service and its parts."""
    names = set()
    for name in dir(service):
        if name.startswith("_") or name == "limits":
            continue
        member = getattr(service, name)
        if inspect.ismethod(member):
            names.add(name)
            continue
        names |= {
            f"{name}.{inner}"
            for inner, _ in inspect.getmembers(member, inspect.ismethod)
            if not inner.startswith("_")
        }
    return names


def test_the_walk_below_leaves_no_function_out(service) -> None:
    assert walk(service) == set(ACTS) | OTHERS


def everything(store) -> list[tuple[object, ...]]:
    tables = ("agent_documents", "agent_document_versions", "agent_document_readers", "agent_document_bands")
    return [tuple(row) for table in tables for row in store.database.execute(f"SELECT * FROM {table}")]


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("state", ["private", "deleted", "shared", "public"])
def test_a_document_of_somebody_else_does_not_exist(service, store, ann, bob, make, act, state) -> None:
    document = make(SECRET)
    service.update(ann, document.id, DocumentChange(append=SECRET))
    if state == "deleted":
        service.trash.delete(ann, [document.id])
    else:
        service.sharing.set(ann, document.id, state, ["bob"])
    before = everything(store)
    with pytest.raises(DocumentNotFound) as caught:
        ACTS[act](service, bob, document.id)
    assert SECRET not in str(caught.value)
    with pytest.raises(NeedsUser):
        ACTS[act](service, None, document.id)
    assert everything(store) == before


def test_functions_without_a_document_see_and_touch_only_ones_own(service, store, ann, bob, make) -> None:
    document = make(SECRET, type="memory", source_path="/x.md", tier="pinned")
    deleted = make(f"{SECRET} too")
    service.trash.delete(ann, [deleted.id])
    before = everything(store)
    assert service.pinned(bob) == ()
    assert service.stats(bob).total == service.stats(bob).deleted == 0
    for odd in ({}, {"deleted": True}, {"archived": None}, {"query": SECRET}, {"tier": "pinned"}):
        page = service.list(bob, DocumentFilter(**odd))
        assert (page.items, page.total) == ((), 0)
    assert service.folders.below(bob, "", 9) == []
    assert {service.folders.at(bob, place) for place in (document.id, document.title)} == {None}
    new = NewDocument("t", SECRET, id=document.id, source_path="/x.md", type="memory")
    assert service.imports.match(bob, new) is None
    assert service.tiers.archive_idle(bob) == 0
    service.tend(bob)
    service.trash.empty(bob)
    assert everything(store) == before
    # Equal memories of two people are two memories, and neither hears of the other.
    created = service.create(bob, NewDocument("t", SECRET, type="memory"))
    assert (created.existing, created.document.similar_to) == (False, None)
    put = service.imports.put(bob, new)
    assert put.document.id != document.id
    assert service.read(ann, document.id) == document
