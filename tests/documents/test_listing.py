"""Lists: what a filter finds, pages and cursors, and what a budget leaves of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agentctl.documents.budget import cut_list, cut_text, is_over
from agentctl.documents.service import DocumentService
from agentctl.domain.document import DocumentChange, DocumentFilter, NewDocument
from agentctl.domain.document_cursor import cursor_after
from agentctl.domain.tokens import estimate_tokens
from agentctl.store import Store
from agentctl.store.document_conditions import conditions
from tests.documents.conftest import Recorded


@pytest.fixture
def many(make):
    """25 documents, the newest first."""
    made = [make(f"content {number} " * 30, created_at=1_000 + number // 3) for number in range(25)]
    return sorted(made, key=lambda each: (each.created_at, each.id), reverse=True)


def listed(service, user, **fields: object) -> list[str]:
    return [each.title for each in service.list(user, DocumentFilter(**fields)).items]


def test_pages_hold_every_document_once(service, ann, many) -> None:
    seen = []
    for number in (1, 2, 3, 4):
        page = service.list(ann, DocumentFilter(page=number))
        assert (page.total, page.page, page.page_size, page.has_more) == (25, number, 10, number < 3)
        seen += page.items
    assert [each.id for each in seen] == [each.id for each in many]
    assert {each.content for each in seen} == {None}


def test_all_of_a_list_is_one_page(service, ann, many) -> None:
    page = service.list(ann, DocumentFilter(page_size=None))
    assert (len(page.items), page.has_more, page.cursor) == (25, False, None)
    assert service.list(ann, DocumentFilter(type="memory", page_size=None)).items == ()


def test_cursors_hold_every_document_once_whatever_comes_in_between(service, ann, many, make) -> None:
    wanted = DocumentFilter(page_size=4)
    seen = []
    while True:
        page = service.list(ann, wanted)
        seen += [each.id for each in page.items]
        if page.cursor is None:
            break
        make("newer")
        service.trash.delete(ann, [page.items[-1].id])
        wanted = replace(wanted, cursor=page.cursor)
    assert seen == [each.id for each in many]


def test_the_order_may_be_that_of_changes(service, ann, many) -> None:
    oldest = many[-1]
    service.update(ann, oldest.id, DocumentChange(title="changed"))
    first = service.list(ann, DocumentFilter(sort="updated", page_size=1))
    assert first.items[0].id == oldest.id
    rest = service.list(ann, DocumentFilter(sort="updated", page_size=None, cursor=first.cursor))
    assert len(rest.items) == 24


def test_a_filter_finds_what_fits_all_of_it(service, ann, make, session) -> None:
    make("x", title="a", type="memory", tags="red,dark blue", created_at=10, session_id=session)
    make("y", title="b", tags="blue", created_at=20)
    make("z", title="c", created_at=30, tier="pinned")
    assert listed(service, ann) == ["c", "b", "a"]
    assert listed(service, ann, type="memory") == ["a"]
    assert listed(service, ann, tag="blue") == ["b"]
    assert listed(service, ann, tag="dark blue") == ["a"]
    assert listed(service, ann, tag="re") == []
    assert listed(service, ann, since=20) == ["c", "b"]
    assert listed(service, ann, until=20) == ["a"]
    assert listed(service, ann, session=session) == ["a"]
    assert listed(service, ann, tier="pinned") == ["c"]
    assert listed(service, ann, since=20, tag="blue", type="document") == ["b"]


def test_a_query_is_literal_text(service, ann, make) -> None:
    make("100% sure_thing \\ end", title="a")
    make("1000 surely; ÄPFEL 苹果", title="b")
    assert listed(service, ann, query="100%") == ["a"]
    assert listed(service, ann, query="E_T") == ["a"]
    assert listed(service, ann, query="\\ e") == ["a"]
    assert sorted(listed(service, ann, query="SURE")) == ["a", "b"]
    assert listed(service, ann, query="苹果") == ["b"]
    assert listed(service, ann, query="%") == ["a"]
    assert listed(service, ann, query="' OR 1=1 --") == []
    assert listed(service, ann, query="\ud800") == []
    assert service.list(ann, DocumentFilter(query="100%")).total == 1


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="nothing counts the bytes that are read")
def test_a_list_reads_nothing_of_the_contents(service, store, ann) -> None:
    for number in range(20):
        service.create(ann, NewDocument("long", f"{number}" + "x" * 49_000))
    store.close()
    again = DocumentService(Store(store.path), Recorded())
    # The schema is read before.
    again.stats(ann)
    again.tend(ann)
    before = bytes_read()
    assert len(again.list(ann, DocumentFilter(page_size=20)).items) == 20
    listed = bytes_read() - before
    assert len(again.read(ann, again.find(ann, "@last")).text) > 49_000
    # Twelve pages of 4 KiB hold one of these contents.
    assert listed < 200_000


def bytes_read() -> int:
    text = Path("/proc/self/io").read_text(encoding="ascii")
    return int(text.split("rchar: ")[1].split()[0])


def test_contents_come_last_in_a_row_so_that_lists_never_reach_them(store) -> None:
    for table in ("agent_documents", "agent_document_versions"):
        columns = [row["name"] for row in store.database.execute(f"PRAGMA table_info({table})")]
        assert columns[-1] == "content"


@pytest.mark.parametrize(
    "fields", [{}, {"type": "memory"}, {"archived": True}, {"sort": "updated"}, {"tag": "x", "since": 1}]
)
def test_a_list_walks_an_index_in_its_order(store, ann, fields) -> None:
    wanted = DocumentFilter(**fields)
    where, values = conditions(ann, wanted)
    column = "updated_at" if wanted.sort == "updated" else "created_at"
    plan = store.database.execute(
        f"EXPLAIN QUERY PLAN SELECT d.id FROM agent_documents d WHERE {where}"
        f" ORDER BY d.{column} DESC, d.id DESC LIMIT 50",
        values,
    ).fetchall()
    steps = " ".join(row["detail"] for row in plan)
    assert "USING COVERING INDEX agent_documents_" in steps
    assert "TEMP B-TREE" not in steps


def test_a_budget_keeps_the_first_summaries_that_fit(many) -> None:
    documents = [replace(each, summary="one two three four five") for each in many[:5]]
    each = estimate_tokens(documents[0].summary)
    assert cut_list(documents, 5 * each).is_cut is False
    cut = cut_list(documents, 3 * each)
    assert (len(cut.items), cut.is_cut) == (3, True)
    assert cut_list([], 0).items == ()


@pytest.mark.parametrize("budget", [-5, 0, 1, 3])
def test_the_first_document_always_comes_its_summary_cut_to_fit(many, budget: int) -> None:
    cut = cut_list(many[:3], budget)
    assert (len(cut.items), cut.is_cut) == (1, True)
    (first,) = cut.items
    assert many[0].summary.startswith(first.summary)
    assert estimate_tokens(first.summary) <= max(budget, 0)


@pytest.mark.parametrize("budget", [1, 60, 200, 100_000])
def test_walking_the_cursors_of_a_budget_sees_every_document_once(service, ann, many, budget: int) -> None:
    wanted = DocumentFilter(page_size=7)
    seen = []
    while True:
        page = service.list(ann, wanted)
        cut = cut_list(page.items, budget)
        seen += [each.id for each in cut.items]
        if not cut.is_cut and not page.has_more:
            break
        wanted = replace(wanted, cursor=cursor_after(cut.items[-1], wanted.sort))
    assert seen == [each.id for each in many]


@pytest.mark.parametrize("text", ["one two three " * 50, "汉字文本" * 100, "🙂" * 90, "x" * 5_000, ""])
def test_a_cut_text_is_the_longest_beginning_that_fits(text: str) -> None:
    for budget in (0, 1, 7, 40):
        cut = cut_text(text, budget)
        assert text.startswith(cut)
        assert estimate_tokens(cut) <= budget
        assert cut == text or estimate_tokens(text[: len(cut) + 20]) >= budget


def test_content_is_over_a_budget_by_estimated_tokens() -> None:
    assert is_over("汉字" * 100, 50)
    assert not is_over("ab" * 20, 50)
