"""Documents found by what they say, and what of them a model would be reminded of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agentctl.app.documents import Documents
from agentctl.documents.faults import InvalidDocument
from agentctl.domain.document import DocumentFilter, NewDocument
from agentctl.store import Store
from tests.conftest import Outcome

Run = Callable[..., Outcome]
Keep = Callable[..., str]


@pytest.fixture
def documents(store: Store) -> Documents:
    return Documents(store)


@pytest.fixture
def keep(documents: Documents, store: Store) -> Keep:
    """Store a document: `keep("title", "content", user="bob", type="memory")`."""

    def call(title: str, content: str, *, user: str = "tester", **fields: Any) -> str:
        new = NewDocument(title, content, **fields)
        return documents.service.create(store.users.ensure(user).id, new).document.id

    return call


def test_words_find_documents_best_first_with_the_words_marked(run: Run, keep: Keep) -> None:
    rice = keep("Rice", "Wash the brown rice before it cooks.", tags="food")
    keep("Tea", "Ann likes tea, and never rice.")
    keep("Cars", "Nothing to eat.")
    found = run("docs search brown rice -o json").json()
    assert found[0]["id"] == rice
    assert len(found) == 2
    assert "[brown rice]" in found[0]["match"]
    start, end = found[0]["marks"][0]
    assert found[0]["snippet"][start:end] == "brown rice"
    assert run("docs search zebra -o ids").stdout == ""


def test_the_query_language_and_the_options_narrow_it(run: Run, keep: Keep) -> None:
    note = keep("Note", "Rice for Ann.", type="memory", tags="food,ann")
    report = keep("Report", "Rice in numbers.", created_at=1_700_000_000_000)
    for line, ids in {
        "rice -o ids": {note, report},
        "'rice -numbers' -o ids": {note},
        "'\"in numbers\"' -o ids": {report},
        "rice type:memory -o ids": {note},
        "rice --type document -o ids": {report},
        "rice --tag ann -o ids": {note},
        "rice --since 2024-01-01 -o ids": {note},
        "rice before:2024 -o ids": {report},
        "'\" AND ( NEAR *' -o ids": set(),
    }.items():
        assert set(run(f"docs search {line}").stdout.split()) == ids, line


def test_scripts_without_spaces_are_found_too(run: Run, keep: Keep) -> None:
    ids = [keep("一", "今天我们在厨房做饭。"), keep("二", "東京で寿司を食べた"), keep("three", "Café 🍚")]
    for query, document in zip(("做饭", "寿司", "cafe"), ids, strict=True):
        assert run(f"docs search {query} -o ids").stdout.split() == [document]


def test_a_change_is_found_at_once_and_what_it_replaced_no_more(run: Run, keep: Keep) -> None:
    document = keep("Note", "Bicycles.")
    run(f"docs update {document} --summary '' --title Trains")
    assert run("docs search trains -o ids").stdout.split() == [document]
    run(f"docs archive {document}")
    assert run("docs search trains -o ids").stdout == ""
    run(f"docs promote {document}")
    run(f"docs delete {document} --yes")
    assert run("docs search trains -o ids").stdout == ""
    run(f"docs undelete {document}")
    assert run("docs search bicycles -o ids").stdout.split() == [document]


def test_limits_are_said_and_lists_explained(run: Run, keep: Keep) -> None:
    for number in range(12):
        keep(f"Note {number}", f"Rice number {number}.")
    found = run("docs search rice -o ids")
    assert len(found.stdout.split()) == 10
    assert "--limit" in found.stderr
    assert len(run("docs search rice --limit 12 -o ids").stdout.split()) == 12
    explained = run("docs search rice --limit 1 --explain -o json").json()[0]
    assert {"list", "rank", "score"} == set(explained["ranks"][0])
    assert "document 1" in explained["why"]


def test_the_index_is_built_anew_without_a_word_lost(run: Run, keep: Keep, store: Store) -> None:
    document = keep("Note", "Bicycles.")
    store.database.execute("DELETE FROM agent_document_index")
    assert "indexed 1 documents" in run("docs reindex --resume").stderr
    assert run("docs search bicycle -o ids").stdout.split() == [document]
    assert "indexed 0 documents" in run("docs reindex --resume").stderr
    assert "indexed 1 documents" in run("docs reindex").stderr
    assert run("docs search bicycle -o ids").stdout.split() == [document]


def test_a_context_has_pinned_documents_first_and_stays_within_its_budget(run: Run, keep: Keep) -> None:
    pinned = keep("Always", "Answer in German.", tier="pinned")
    rice = keep("Rice", "Wash the rice.")
    context = run("docs context --query rice -o json").json()
    assert [(each["id"], each["why"]) for each in context["pieces"]] == [
        (pinned, "pinned"),
        (rice, "relevant"),
    ]
    assert context["tokens"] <= context["budget"] == 1500
    shown = run("docs context --query rice")
    assert shown.stdout == context["text"] + "\n"
    assert f'<note id="{rice}"' in shown.stdout
    few = run("docs context --query rice --budget 60 -o json").json()
    assert [each["id"] for each in few["pieces"]] == [pinned]
    assert [each["id"] for each in few["left_out"]] == [rice]
    rows = run("docs context --query rice --budget 60 --explain -o csv").stdout.splitlines()
    assert rows[1].startswith(f"{pinned},Always,")
    assert rows[2].endswith(",relevant,no," + rows[2].rpartition(",")[2])
    assert run("docs context --user bob").stdout == ""


def test_a_tool_walks_a_ranked_list_by_its_cursor(documents: Documents, keep: Keep, store: Store) -> None:
    made = {keep(f"Note {number}", f"Rice number {number}.") for number in range(7)}
    user = store.users.ensure("tester").id
    seen: list[str] = []
    cursor = None
    for _ in range(4):
        page = documents.search(user, DocumentFilter(query="rice", page_size=3, cursor=cursor))
        seen += [each.id for each in page.items]
        assert page.total == 7
        cursor = page.cursor
        if cursor is None:
            break
    assert len(seen) == 7
    assert set(seen) == made
    second = documents.search(user, DocumentFilter(query="rice", page_size=3, page=2))
    assert [each.id for each in second.items] == seen[3:6]
    with pytest.raises(InvalidDocument):
        documents.search(user, DocumentFilter(query="rice", cursor="created.1.ad_1_1"))
