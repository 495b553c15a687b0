"""A file that is imported again is the same document."""

from __future__ import annotations

import pytest

from agentctl.documents.faults import InvalidDocument
from agentctl.domain.document import NewDocument


def put(service, user, content: str = "text", **fields: object) -> tuple[str, str]:
    imported = service.imports.put(user, NewDocument(**{"title": "Title", "content": content, **fields}))
    return imported.document.id, imported.outcome


def test_a_file_without_an_id_is_known_by_its_path(service, ann) -> None:
    first, outcome = put(service, ann, source_path="/notes/a.md")
    assert outcome == "created"
    assert put(service, ann, source_path="/notes/a.md") == (first, "unchanged")
    assert put(service, ann, "new text", source_path="/notes/a.md") == (first, "updated")
    assert put(service, ann, "new text", source_path="/notes/b.md")[1] == "created"


def test_of_several_from_one_path_the_equal_one_is_meant(service, ann, make) -> None:
    first, second = (make(text, source_path="/notes.jsonl") for text in ("one", "two"))
    assert put(service, ann, "one", source_path="/notes.jsonl") == (first.id, "unchanged")
    assert put(service, ann, "two", source_path="/notes.jsonl") == (second.id, "unchanged")


def test_a_file_with_an_id_is_known_by_that_wherever_it_lies(service, ann, make) -> None:
    document = make("text")
    assert put(service, ann, id=document.id, source_path="/x") == (document.id, "unchanged")
    assert put(service, ann, "new", id=document.id, source_path="/y") == (document.id, "updated")


def test_an_id_that_is_free_is_kept(service, ann, make) -> None:
    document = make("text", type="memory")
    service.trash.hard_delete(ann, [document.id])
    made = put(service, ann, id=document.id, type="memory", created_at=1_000)
    assert made == (document.id, "created")
    assert service.read(ann, document.id).created_at == 1_000


def test_an_id_that_is_taken_is_not_used_again(service, ann, bob, make) -> None:
    document = make("text")
    foreign, outcome = put(service, bob, id=document.id)
    assert (foreign != document.id, outcome) == (True, "created")
    service.trash.delete(ann, [document.id])
    again, outcome = put(service, ann, id=document.id)
    assert (again != document.id, outcome) == (True, "created")


@pytest.mark.parametrize("odd", ["", "x", "ad_", "ad_A_b", "ad_1_2'", "../ad_1_2", "\ud800"])
def test_an_id_of_another_form_is_refused(service, ann, odd: str) -> None:
    with pytest.raises(InvalidDocument, match="is no id of a document"):
        put(service, ann, id=odd)


def test_a_file_never_sets_a_session(service, ann, session) -> None:
    made, _ = put(service, ann, type="memory", tier="session", session_id=session)
    document = service.read(ann, made)
    assert (document.session_id, document.tier) == (None, "long_term")


def test_the_old_summary_of_a_file_beside_new_content_counts_as_none(service, ann) -> None:
    first, _ = put(service, ann, "old", source_path="/a", summary="about")
    put(service, ann, "new", source_path="/a", summary="about")
    assert service.read(ann, first).summary == "new"


def test_an_equal_memory_from_another_file_is_the_one_that_is_there(service, ann, make) -> None:
    memory = make("text", type="memory")
    assert put(service, ann, type="memory", source_path="/b") == (memory.id, "unchanged")
