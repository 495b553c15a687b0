"""Each change keeps the version before it."""

from __future__ import annotations

import pytest

from agentctl.documents.faults import InvalidDocument
from agentctl.domain.document import DocumentChange


def test_every_change_of_words_keeps_the_version_before(service, ann, make) -> None:
    document = make("one", title="First", tags="a", summary="about one")
    service.update(ann, document.id, DocumentChange(title="Second"))
    service.update(ann, document.id, DocumentChange(content="two\n", tags="b"))
    versions = service.history.list(ann, document.id)
    assert [(each.rev, each.title, each.tags) for each in versions] == [
        (3, "Second", ("b",)),
        (2, "Second", ("a",)),
        (1, "First", ("a",)),
    ]
    assert versions[-1].content is None
    first = service.history.version(ann, document.id, 1)
    assert (first.content, first.summary, first.created_at) == ("one", "about one", document.updated_at)
    assert service.history.version(ann, document.id, 3).content == "two\n"


def test_tiers_and_readers_are_no_new_revision(service, ann, bob, make) -> None:
    document = make("one", type="memory")
    service.tiers.pin(ann, document.id)
    service.sharing.set(ann, document.id, "shared", ["bob"])
    service.tiers.archive(ann, document.id)
    assert [each.rev for each in service.history.list(ann, document.id)] == [1]


def test_a_restored_version_is_the_newest_and_found_again(service, ann, make, index) -> None:
    document = make("one", title="First")
    service.update(ann, document.id, DocumentChange(content="two", title="Second"))
    restored = service.history.restore(ann, document.id, 1)
    assert (restored.rev, restored.text, restored.title, restored.hash) == (3, "one", "First", document.hash)
    assert index.contents[document.id] == "one"
    assert service.history.version(ann, document.id, 2).content == "two"
    assert service.history.restore(ann, document.id, 3) == restored


def test_a_revision_that_is_none_names_the_newest(service, ann, make) -> None:
    document = make("one")
    for odd in (0, 2, -1):
        with pytest.raises(InvalidDocument, match=f"has no revision {odd}, the newest is 1"):
            service.history.version(ann, document.id, odd)


def test_a_diff_shows_what_changed_between_two_revisions(service, ann, make) -> None:
    document = make("same\none\n")
    service.update(ann, document.id, DocumentChange(content="same\ntwo\n"))
    lines = service.history.diff(ann, document.id, 1).splitlines()
    assert "-one" in lines
    assert "+two" in lines
    assert " same" in lines
    assert service.history.diff(ann, document.id, 2) == ""
