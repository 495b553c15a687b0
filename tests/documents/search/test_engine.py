from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from agentctl.documents.faults import NeedsUser
from agentctl.documents.search.engine import search
from agentctl.documents.service import DocumentService
from agentctl.domain.document import Document, DocumentChange, DocumentFilter
from agentctl.store import Store
from tests.documents.search.conftest import Find, Titles

Make = Callable[..., Document]
ODD = [
    '"',
    '"unbalanced',
    "a AND OR NOT NEAR(b, 3) ^ * : col:x {y} -",
    "'; DROP TABLE agent_documents; --",
    "\0",
    "a\0b",
    "\ud800 x",
    "🎉👨‍👩‍👧‍👦",
    "%_\\",
    "tag:" + "x" * 10_000,
    "word " * 2_000,
    '"phrase" ' * 1_000,
    "-x " * 1_000,
    "x" * 10_240,
    "東" * 10_240,
    "after:9999-12-31 before:1970",
    "type:memory type:document",
]


def test_the_document_that_says_more_of_it_comes_first(make: Make, titles: Titles) -> None:
    make("We talked about the weather and a beach.", title="Weather")
    make("The beach was long.\nShe ran along the beach with her dog.", title="Beach")
    make("Nothing of that kind.", title="Other")
    assert titles("did she run along the beach") == ["Beach", "Weather"]


def test_words_side_by_side_count_more_than_apart(make: Make, titles: Titles) -> None:
    make("The garden is big. A party was loud. Our house is red.", title="Apart")
    make("The party is big. A garden house was loud. Our sea is red.", title="Together")
    assert titles("garden house")[0] == "Together"


def test_a_change_can_be_found_at_once(
    make: Make, titles: Titles, service: DocumentService, ann: int
) -> None:
    document = make("about apples", title="Fruit")
    service.update(ann, document.id, DocumentChange(content="about pears"))
    assert titles("pears") == ["Fruit"]
    assert titles("apples") == []
    service.update(ann, document.id, DocumentChange(title="Vegetable"))
    assert titles("vegetable") == ["Vegetable"]
    assert titles("fruit") == []


def test_tags_are_words_too_and_change_with_the_document(
    make: Make, titles: Titles, service: DocumentService, ann: int
) -> None:
    document = make("text", title="Tagged", tags="garden")
    assert titles("garden") == ["Tagged"]
    service.update(ann, document.id, DocumentChange(tags="kitchen"))
    assert (titles("garden"), titles("kitchen")) == ([], ["Tagged"])


def test_filters_of_the_query_and_beside_it_hold_together(make: Make, titles: Titles) -> None:
    make("green tea", title="A", tags="drink,hot", created_at=1714600000000)
    make("green tea", title="B", tags="drink", type="memory", created_at=1746136000000)
    make("iced tea", title="C", tags="drink", created_at=1746136000000)
    assert titles("tea tag:hot") == ["A"]
    assert titles("tea type:memory") == ["B"]
    assert titles("tea type:memory", type="document") == []
    assert sorted(titles("tea after:2025")) == ["B", "C"]
    assert titles("tea before:2025") == ["A"]
    assert titles("tea after:2025", until=1746000000000) == []
    assert sorted(titles("tea -iced")) == ["A", "B"]
    assert titles('"iced tea"') == ["C"]
    assert sorted(titles("tag:drink")) == ["A", "B", "C"]
    assert titles("tea tag:drink", tag="hot") == ["A"]


def test_archived_documents_are_left_out_unless_wanted(
    make: Make, titles: Titles, service: DocumentService, ann: int
) -> None:
    document = make("an old note", title="Old")
    service.tiers.archive(ann, document.id)
    assert titles("note") == []
    assert titles("note", archived=True) == ["Old"]


def test_everything_that_like_would_find_is_found_after_what_is_ranked(make: Make, titles: Titles) -> None:
    make("a snowboarding trip", title="Within")
    make("the board met", title="Word")
    assert titles("board") == ["Word", "Within"]
    assert titles("nowboardi") == ["Within"]


@pytest.mark.parametrize(
    ("query", "found"),
    [("50%", ["Percent"]), ("%", ["Percent"]), ("a_b", ["Under"]), ("_", ["Under"]), ("\\", [])],
)
def test_marks_of_like_are_looked_for_as_they_are(
    make: Make, titles: Titles, query: str, found: list[str]
) -> None:
    make("it was 50% off", title="Percent")
    make("call a_b here", title="Under")
    make("500 axb off", title="None")
    assert [title for title in titles(query) if title != "None" or query == "50%"] == found


def test_a_hit_shows_where_and_why(make: Make, find: Find) -> None:
    make("# Plan\nintro\n\n## Budget\nWe spend 40 coins on lamps.", title="House", created_at=1714600000000)
    (hit,) = find("how many coins", explain=True)
    assert hit.document.content is None
    assert (hit.document.title, hit.document.created_at) == ("House", 1714600000000)
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["coins"]
    assert hit.chunk is not None
    assert hit.chunk.headings == ("Plan", "Budget")
    assert {each.name: each.rank for each in hit.ranks} == dict.fromkeys(
        ("document", "chunk", "window", "line", "part"), 1
    )
    assert find("coins")[0].ranks == ()


def test_a_heading_finds_the_chunks_below_it(make: Make, find: Find) -> None:
    filler = "\n".join(f"Line {number} with some filler words in it." for number in range(60))
    make(f"# Lamps\n{filler}\n# Chairs\n{filler}", title="House")
    (hit,) = find("chairs")
    assert hit.chunk is not None
    assert hit.chunk.headings == ("Chairs",)


def test_pages_show_every_hit_once_and_the_total(make: Make, store: Store, ann: int) -> None:
    for number in range(7):
        make(f"tea number {number}", title=f"T{number}")
    make("steamed", title="Letters")
    seen = []
    for offset in range(0, 9, 3):
        page = search(store, ann, "tea", limit=3, offset=offset, count=True)
        seen += [hit.document.title for hit in page.hits]
        assert (page.total, page.has_more) == (8, offset < 6)
    assert sorted(seen) == ["Letters", *(f"T{number}" for number in range(7))]
    assert seen[-1] == "Letters"


@pytest.mark.parametrize("query", ["", "   ", '""', "- ( ) *", "tag:", "-tea"])
def test_a_query_that_holds_nothing_finds_nothing(make: Make, titles: Titles, query: str) -> None:
    make('tea "" - ( ) * tag:', title="T")
    assert titles(query) == []


@pytest.mark.parametrize("query", ODD)
def test_no_query_is_an_error(make: Make, find: Find, query: str) -> None:
    make("words 東京 🎉 50%_", title="T")
    assert len(find(query)) <= 1


def test_random_queries_are_no_errors(make: Make, find: Find) -> None:
    make("words and more 東京 🎉 50%_ café", title="T")
    chance = random.Random(7)
    pieces = [
        *'"-:()*^{}+.,;%_\\\0',
        "tag:",
        "type:",
        "after:",
        "AND",
        "NEAR",
        "words",
        "東京",
        "🎉",
        "é",
        " ",
        "\n",
    ]
    for _ in range(400):
        query = "".join(chance.choices(pieces, k=chance.randrange(1, 14)))
        assert len(find(query)) <= 1


def test_nobody_finds_nothing_but_an_error(store: Store) -> None:
    with pytest.raises(NeedsUser):
        search(store, None, "tea", DocumentFilter())
