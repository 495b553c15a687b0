"""Creating, reading, listing and changing documents, and the limits that hold on every path."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agentctl.documents.faults import (
    ContentTooLong,
    DocumentChanged,
    DocumentNotFound,
    InvalidDocument,
    NeedsUser,
)
from agentctl.domain.document import DocumentChange, DocumentFilter, NewDocument
from agentctl.domain.document_limits import DOCUMENT_SETTINGS
from agentctl.errors import UsageError


def test_a_document_is_read_as_it_was_stored(service, ann, index) -> None:
    content = "# 计划\n\n明日の会議 🙂\tend\r\n"
    created = service.create(ann, NewDocument("  会议\n计划 ", content, tags=" a , b,,a,c d "))
    assert not created.existing
    document = service.read(ann, created.document.id)
    assert document == created.document
    assert document.id.startswith("ad_")
    assert (document.title, document.text) == ("会议 计划", content)
    assert document.tags == ("a", "b", "c d")
    assert (document.rev, document.tier, document.visibility) == (1, "long_term", "private")
    assert (document.owner, document.content_chars) == ("ann", len(content))
    assert index.contents == {document.id: content}


def test_a_summary_is_given_or_the_first_200_characters(make) -> None:
    assert make("汉" * 300).summary == "汉" * 200
    assert make("x" * 300, summary_length=50).summary == "x" * 50
    assert make("long text", summary="short").summary == "short"
    assert make("long text", summary=" ").summary == "long text"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"content": ""}, "the content is empty"),
        ({"content": " \n\t"}, "the content is empty"),
        ({"content": "a\x00b"}, "the content holds a NUL character at position 1"),
        ({"content": "ab\ud800"}, "half of a surrogate pair at position 2"),
        ({"title": "\ud800"}, "the title holds half"),
        ({"title": " \n"}, "the title is empty"),
        ({"title": "x" * 256}, "the title has 256 characters, at most 255"),
        ({"title": "x" * 10_000_000}, "the title has 10,000,000 characters"),
        ({"tags": ",".join(map(str, range(100_000)))}, "the tags are longer than 500"),
        ({"tags": ("x" * 501,)}, "the tags are longer than 500"),
        ({"tags": "a\x00"}, "the tag holds a NUL"),
        ({"summary": "x" * 2_001}, "the summary has 2,001 characters, at most 2000"),
        ({"summary": "\x00"}, "the summary holds a NUL"),
        ({"tier": "session"}, "only a memory can belong to a session"),
    ],
)
def test_what_cannot_be_stored_is_refused_in_words(service, ann, index, fields, words) -> None:
    with pytest.raises(InvalidDocument, match=words) as caught:
        service.create(ann, NewDocument(**{"title": "Title", "content": "text", **fields}))
    assert (caught.value.code, caught.value.kind) == (2, "invalid_document")
    assert service.stats(ann).total == 0
    assert index.contents == {}


def test_titles_and_tags_may_be_as_long_as_their_limits(make) -> None:
    document = make(title="🙂" * 255, tags=("a" * 250, "b" * 249))
    assert len(document.title) == 255
    assert document.tags == ("a" * 250, "b" * 249)


def test_content_has_a_ceiling_that_settings_move_and_callers_only_lower(service, store, ann, make) -> None:
    assert make("🙂" * 50_000).content_chars == 50_000
    with pytest.raises(ContentTooLong, match="content exceeds the maximum length: 50,001") as caught:
        make("x" * 50_001)
    assert (caught.value.code, caught.value.kind) == (2, "content_too_long")
    with pytest.raises(ContentTooLong):
        service.create(ann, NewDocument("t", "x" * 11), most=10)
    with pytest.raises(ContentTooLong):
        service.create(ann, NewDocument("t", "x" * 50_001), most=60_000)
    store.settings.set(DOCUMENT_SETTINGS, '{"max_content_length": 20}')
    other = type(service)(store, service._shelf.index)
    with pytest.raises(ContentTooLong, match="at most 20"):
        other.create(ann, NewDocument("t", "x" * 21))


def test_nobody_has_no_documents(service) -> None:
    with pytest.raises(NeedsUser, match="this tool needs a user") as caught:
        service.create(None, NewDocument("t", "x"))
    assert (caught.value.code, caught.value.kind) == (7, "needs_user")


def test_a_missing_document_is_exit_6(service, ann) -> None:
    for odd in ("ad_missing", "", "%", "\ud800", "\x00"):
        with pytest.raises(DocumentNotFound, match="document not found or not accessible") as caught:
            service.read(ann, odd)
        assert (caught.value.code, caught.value.kind) == (6, "document_not_found")


def test_a_session_counts_only_where_it_is_ones_own(service, ann, bob, session) -> None:
    assert service.create(ann, NewDocument("t", "x", session_id=session)).document.session_id == session
    assert service.create(bob, NewDocument("t", "x", session_id=session)).document.session_id is None
    assert service.create(ann, NewDocument("t", "x", session_id="\ud800")).document.session_id is None


def test_a_change_keeps_what_it_does_not_name(service, ann, make, index) -> None:
    before = make("old text", title="Old", tags="a", summary="about")
    after = service.update(ann, before.id, DocumentChange(title="New"))
    assert after == replace(before, title="New", rev=2, updated_at=after.updated_at)
    assert service.read(ann, before.id) == after
    after = service.update(ann, before.id, DocumentChange(content="new text", tags=()))
    assert (after.text, after.tags, after.rev) == ("new text", (), 3)
    assert index.contents[before.id] == "new text"


def test_new_content_without_a_summary_cuts_a_new_one(service, ann, make) -> None:
    document = make("old text", summary="about")

    def change(**fields: object) -> str:
        return service.update(ann, document.id, DocumentChange(**fields)).summary

    assert change(title="Other") == "about"
    assert change(content="new text") == "new text"
    assert change(content="newer text", summary="mine") == "mine"
    assert change(content="newest text", summary="mine") == "mine"
    # In a file the old summary stands beside the new content, whether or not anybody looked at it.
    assert change(content="from a file", summary="mine", summary_from_file=True) == "from a file"
    assert change(content="from a file", summary="edited", summary_from_file=True) == "edited"
    assert change(summary="") == "from a file"


def test_a_change_that_changes_nothing_is_none(service, ann, make) -> None:
    before = make("text", tags="a,b")
    same = DocumentChange(title="Title", content="text", tags=" a, b", type="document")
    assert service.update(ann, before.id, same) == before
    assert service.history.list(ann, before.id)[0].rev == 1


def test_what_is_appended_stands_on_a_line_of_its_own(service, ann, make) -> None:
    document = make("one")
    service.update(ann, document.id, DocumentChange(append="two\n"))
    after = service.update(ann, document.id, DocumentChange(append="three"))
    assert after.text == "one\ntwo\nthree"
    with pytest.raises(ContentTooLong):
        service.update(ann, document.id, DocumentChange(append="x" * 50_000))
    assert service.read(ann, document.id).text == "one\ntwo\nthree"


def test_a_change_of_what_somebody_else_changed_is_a_conflict(service, ann, make) -> None:
    document = make("one")
    service.update(ann, document.id, DocumentChange(content="two"), rev=1)
    with pytest.raises(DocumentChanged) as caught:
        service.update(ann, document.id, DocumentChange(content="three"), rev=1)
    assert (caught.value.code, caught.value.kind) == (10, "document_changed")
    assert caught.value.current.text == "two"
    assert service.read(ann, document.id).text == "two"


def test_an_id_may_be_shortened(service, ann, make) -> None:
    document, other = make("one"), make("two")
    assert service.find(ann, document.id) == document.id
    assert service.find(ann, document.id[-6:]) == document.id
    assert service.find(ann, "@last") == other.id
    with pytest.raises(UsageError, match="several documents"):
        service.find(ann, document.id[:5])
    for odd in (document.id[-3:], "ad_%", "\ud800"):
        with pytest.raises(DocumentNotFound):
            service.find(ann, odd)
    with pytest.raises(DocumentNotFound):
        service.find(ann, document.id[-6:], shortest=8)
    with pytest.raises(DocumentNotFound):
        service.find(ann, "@last", shortest=8)


def test_an_odd_page_is_refused(service, ann) -> None:
    for odd in (
        DocumentFilter(page=0),
        DocumentFilter(page_size=0),
        DocumentFilter(cursor="nonsense"),
        DocumentFilter(cursor="updated.1.ad_x"),
        DocumentFilter(cursor="created.99999999999999999999.ad_x"),
    ):
        with pytest.raises(InvalidDocument):
            service.list(ann, odd)


def test_stats_count_what_is_there(service, ann, bob, make) -> None:
    make("four", type="memory")
    changed = make("12345678")
    service.update(ann, changed.id, DocumentChange(content="1234"))
    service.trash.delete(ann, [make("gone").id])
    service.create(bob, NewDocument("t", "of bob"))
    stats = service.stats(ann)
    assert (stats.total, stats.memories, stats.documents, stats.deleted) == (2, 1, 1, 1)
    assert (stats.content_chars, stats.versions, stats.version_chars) == (8, 1, 8)
    assert stats.newest is not None
    assert stats.newest >= (stats.oldest or 0) > 0
