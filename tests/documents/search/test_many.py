"""Scopes that are too large to look at every document: the same promises hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agentctl.documents.search import candidates
from agentctl.documents.search.engine import search
from agentctl.domain.document import Document
from agentctl.store import Store
from tests.documents.search.conftest import Find, Titles

Make = Callable[..., Document]
COUNT = 2 * candidates.SMALL


@pytest.fixture
def many(make: Make, store: Store) -> None:
    with store.transaction():
        for number in range(COUNT):
            make(f"note {number} about tea and more 东京 things", title=f"N{number}", tags=f"t{number % 2}")


def test_a_rare_word_is_found_among_many(many: None, make: Make, titles: Titles) -> None:
    make("a zebra drinks tea", title="Zebra")
    assert titles("tea for a zebra")[0] == "Zebra"
    assert titles("zebra") == ["Zebra"]


def test_a_phrase_and_what_is_left_out_hold_among_many(many: None, make: Make, titles: Titles) -> None:
    make("more tea and note", title="Turned")
    assert titles('"more tea"') == ["Turned"]
    assert "Turned" not in titles("more tea -turned", limit=COUNT)


def test_filters_hold_among_many(many: None, make: Make, find: Find) -> None:
    make("tea", title="Only", tags="t3")
    assert [hit.document.tags for hit in find("tea tag:t1")] == [("t1",)] * 10
    assert [hit.document.title for hit in find("tea", tag="t3")] == ["Only"]


def test_every_document_that_holds_the_text_is_found_page_by_page(many: None, store: Store, ann: int) -> None:
    seen: list[str] = []
    while True:
        page = search(store, ann, "tea and", limit=50, offset=len(seen))
        seen += [hit.document.id for hit in page.hits]
        if not page.has_more:
            break
    assert len(seen) == len(set(seen)) == COUNT


def test_a_part_of_a_word_and_a_title_are_found_among_many(many: None, make: Make, titles: Titles) -> None:
    make("seen from snowboards", title="Mountain")
    assert titles("nowboar") == ["Mountain"]
    assert titles("mountain") == ["Mountain"]


def test_two_characters_are_found_among_many(many: None, make: Make, titles: Titles) -> None:
    make("去年我去了大阪城", title="大阪")
    assert titles("大阪") == ["大阪"]
    assert titles("城") == ["大阪"]
