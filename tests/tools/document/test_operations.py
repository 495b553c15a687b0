"""What each action takes and answers with: the fields, and no others."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agentctl.domain.document import DocumentChange
from tests.tools.document.conftest import Desk

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
GONE = "document not found or not accessible"


@pytest.mark.parametrize(
    ("arguments", "faults"),
    [
        ({"action": "create"}, ["create needs title", "create needs content"]),
        ({"action": "read"}, ["read needs id or q"]),
        ({"action": "update"}, ["update needs id", "update needs one of title, content, summary, tags"]),
        ({"action": "delete", "q": "x"}, ["q does not belong to delete", "delete needs id"]),
        (
            {"action": "list", "id": "x", "title": "y"},
            ["id does not belong to list", "title does not belong"],
        ),
        (
            {"action": "update", "id": "x", "type": "memory"},
            ["type does not belong to update", "needs one of"],
        ),
        ({"action": "create", "title": " ", "content": ""}, ["title must not be empty", "content must not"]),
        ({"action": "create", "title": "x" * 256, "content": "y"}, ["title: must have at most 255"]),
        (
            {"action": "create", "title": "x", "content": "y", "tags": "t" * 501},
            ["tags: must have at most 500"],
        ),
        (
            {"action": "list", "page": 0, "page_size": 51},
            ["page: must be at least 1", "page_size: must be at most"],
        ),
        ({"action": "drop"}, ["action: must be one of create, read, update, delete, list"]),
    ],
)
def test_everything_that_is_wrong_is_said_at_once(
    document: Desk, arguments: dict[str, Any], faults: list[str]
) -> None:
    error = document.refused(**arguments) or ""
    assert all(fault in error for fault in faults), error


def test_create_answers_with_what_there_is_now(document: Desk) -> None:
    made = document(action="create", title="Tea", content="Likes oolong.", tags="a, b")
    assert list(made) == ["id", "title", "type", "created_at"]
    assert (made["title"], made["type"]) == ("Tea", "memory")
    assert TIME.fullmatch(made["created_at"])
    stored = document.service.read(document.user, made["id"])
    assert (stored.summary, stored.tags, stored.tier) == ("Likes oolong.", ("a", "b"), "long_term")


def test_a_memory_that_is_there_already_is_named_and_a_near_one_too(document: Desk) -> None:
    text = "Ann likes oolong tea very much, above all in the morning before work begins."
    made = document(action="create", title="Tea", content=text)
    again = document(action="create", title="Other", content=text)
    assert (again["id"], again["existing"]) == (made["id"], True)
    near = document(action="create", title="Tea", content=f"{text} Always.")
    assert near["id"] != made["id"]
    assert near["similar_to"] == made["id"]


def test_documents_may_say_the_same_twice(document: Desk) -> None:
    made = [document(action="create", title="R", content="x", type="document") for _ in range(2)]
    assert made[0]["id"] != made[1]["id"]


def test_read_gives_summary_and_metadata_and_content_only_where_it_is_asked_for(document: Desk) -> None:
    text = "word " * 100
    made = document.make(text, type="document", tags="x,y", summary="Words.")
    read = document(action="read", id=made.id)
    assert list(read) == [
        "id", "title", "type", "summary", "tags", "content_chars", "created_at", "updated_at",
    ]  # fmt: skip
    assert (read["summary"], read["tags"], read["content_chars"]) == ("Words.", ["x", "y"], 500)
    assert document(action="read", id=made.id, full_content=True) == {**read, "content": text}


def test_a_content_that_is_over_the_budget_is_hinted_at(document: Desk) -> None:
    document.config = {"token_budget": 50}
    made = document.make("word " * 100)
    hint = "content too long, summary returned; pass full_content=true"
    assert document(action="read", id=made.id)["hint"] == hint
    assert "hint" not in document(action="read", id=made.id, full_content=True)


def test_read_with_words_alone_is_a_ranked_list_and_an_id_wins(document: Desk) -> None:
    tea, _ = document.make("oolong"), document.make("coffee")
    assert [row["id"] for row in document(action="read", q="oolong")["items"]] == [tea.id]
    assert document(action="read", q="coffee", id=tea.id)["id"] == tea.id


def test_update_answers_with_id_title_and_time_and_cuts_the_summary_anew(document: Desk) -> None:
    made = document.make("old words", summary="By hand.")
    answer = document(action="update", id=made.id, title="New")
    assert list(answer) == ["id", "title", "updated_at"]
    assert answer["title"] == "New"
    assert document(action="read", id=made.id)["summary"] == "By hand."
    document(action="update", id=made.id, content="new words " * 30)
    assert document(action="read", id=made.id)["summary"] == ("new words " * 30)[:200]
    document(action="update", id=made.id, content="other", summary="Mine.")
    assert document(action="read", id=made.id)["summary"] == "Mine."


def test_the_length_of_a_summary_is_the_configs(document: Desk) -> None:
    document.config = {"default_summary_length": 7}
    made = document(action="create", title="T", content="one two three")
    assert document(action="read", id=made["id"])["summary"] == "one two"


def test_list_answers_with_rows_and_where_it_stands(document: Desk) -> None:
    first, second = document.make("1", type="memory"), document.make("2", type="document")
    listed = document(action="list")
    assert {name: listed[name] for name in listed if name != "items"} == {
        "total": 2, "page": 1, "page_size": 10, "has_more": False,
    }  # fmt: skip
    assert [row["id"] for row in listed["items"]] == [second.id, first.id]
    assert list(listed["items"][0]) == ["id", "title", "summary", "type", "tags", "updated_at"]
    only = document(action="list", filter_type="memory")
    assert [row["id"] for row in only["items"]] == [first.id]


@pytest.mark.parametrize("query", [None, "word"])
@pytest.mark.parametrize("budget", [50, 200, 2_000])
def test_whoever_follows_the_hints_sees_every_document_once(
    document: Desk, budget: int, query: str | None
) -> None:
    document.config = {"token_budget": budget}
    made = {document.make(f"word number {number} " * 20, type="document").id for number in range(23)}
    seen, more = [], {} if query is None else {"q": query}
    for _ in range(40):
        page = document(action="list", **more)
        seen += [row["id"] for row in page["items"]]
        assert page["items"]
        assert page["total"] == 23
        if not page["has_more"]:
            break
        assert page["hint"] == f'more with the same arguments and cursor="{page["cursor"]}"'
        more["cursor"] = page["cursor"]
    assert len(seen) == 23
    assert set(seen) == made


def test_a_page_size_above_the_configs_is_lowered_and_that_is_said(document: Desk) -> None:
    for number in range(4):
        document.make(str(number))
    document.config = {"max_page_size": 3}
    listed = document(action="list", page_size=50)
    assert (listed["page_size"], len(listed["items"])) == (3, 3)
    assert listed["hint"].startswith("page_size is at most 3; more with")


def test_a_cursor_of_nowhere_is_refused(document: Desk) -> None:
    assert "cursor" in (document.refused(action="list", cursor="created.x") or "")
    assert "cursor" in (document.refused(action="list", q="x", cursor="created.1.ad_1") or "")


def test_what_is_missing_foreign_or_deleted_is_the_same(document: Desk) -> None:
    foreign, deleted = document.make(user="bob"), document.make()
    document(action="delete", id=deleted.id, approved=True)
    for action in (
        {"action": "read"},
        {"action": "update", "title": "x"},
        {"action": "delete", "approved": True},
    ):
        for given in (foreign.id, deleted.id, "ad_missing_1"):
            assert document.refused(id=given, **action) == f"{GONE}: {given}"


def test_another_users_documents_are_in_no_list(document: Desk) -> None:
    document.make("oolong", user="bob")
    assert document(action="list")["total"] == 0
    assert document(action="list", q="oolong")["total"] == 0


def test_without_a_user_nothing_works(document: Desk) -> None:
    document.user = None
    for arguments in ({"action": "list"}, {"action": "create", "title": "x", "content": "y"}):
        assert document.refused(**arguments) == "this tool needs a user"
        assert document.hindrance(**arguments) == "this tool needs a user"


def test_a_limit_of_the_config_lowers_the_databases_and_never_raises_it(document: Desk) -> None:
    document.config = {"max_content_length": 10}
    error = document.refused(action="create", title="x", content="y" * 11)
    assert error == "wrong arguments: content exceeds the maximum length: 11 of 10 characters"
    document.config = {"max_content_length": 100_000}
    error = document.refused(action="create", title="x", content="y" * 50_001)
    assert (error or "").startswith("content exceeds the maximum length: 50,001 characters, at most 50,000")
    made = document.make("short")
    document.config = {"max_content_length": 10}
    assert "content exceeds" in (document.refused(action="update", id=made.id, content="y" * 11) or "")


def test_the_session_is_the_users_own_or_none(document: Desk) -> None:
    made = document(action="create", title="x", content="y", session_id="as_of_nobody")
    assert document.service.read(document.user, made["id"]).session_id is None
    error = document.refused(action="create", title="x", content="z", tier="session")
    assert "needs one of the same user" in (error or "")


def test_delete_needs_a_yes_wherever_it_comes_from(document: Desk) -> None:
    made = document.make()
    assert document.refused(action="delete", id=made.id) == 'action "delete" needs the user\'s approval'
    assert document(action="delete", id=made.id, approved=True) == {"id": made.id, "deleted": True}
    document.service.trash.undelete(document.user, made.id)
    document.config = {"approval_required_actions": ["update"]}
    assert (
        document.refused(action="update", id=made.id, title="x")
        == 'action "update" needs the user\'s approval'
    )
    assert document(action="delete", id=made.id)["deleted"] is True


def test_whoever_is_asked_about_a_delete_sees_what_it_is(document: Desk) -> None:
    made = document.make("y" * 1_234, title="Plans", type="document")
    assert document.explain(action="delete", id=made.id) == 'document "Plans", 1,234 characters'
    assert document.hindrance(action="delete", id=made.id) is None
    assert document.hindrance(action="delete", id="ad_missing_1") == f"{GONE}: ad_missing_1"


def test_a_hard_delete_leaves_nothing_to_take_back(document: Desk) -> None:
    soft, hard = document.make("soft"), document.make("hard")
    document(action="delete", id=soft.id, approved=True)
    document.config = {"hard_delete": True}
    document(action="delete", id=hard.id, approved=True)
    assert document.service.trash.undelete(document.user, soft.id).text == "soft"
    assert document.service.history.list(document.user, soft.id)
    with pytest.raises(Exception, match=GONE):
        document.service.trash.undelete(document.user, hard.id)


def test_shared_documents_are_found_where_the_config_says_so_with_their_owner(document: Desk) -> None:
    shared = document.make("oolong", user="bob", type="document")
    bob = document.store.users.ensure("bob").id
    document.service.sharing.set(bob, shared.id, "shared", ["ann"])
    assert document.refused(action="read", id=shared.id) == f"{GONE}: {shared.id}"
    document.config = {"include_shared": True}
    own = document.make("oolong too", type="document")
    rows = document(action="list", q="oolong")["items"]
    assert {row["id"]: row.get("owner") for row in rows} == {shared.id: "bob", own.id: None}
    result = document.call(action="read", id=shared.id, full_content=True)
    assert (result.data["owner"], result.data["content"]) == ("bob", "oolong")
    assert result.metadata["holds"] == ["private", "untrusted"]
    assert document.refused(action="update", id=shared.id, title="x") == f"{GONE}: {shared.id}"
    assert document.refused(action="delete", id=shared.id, approved=True) == f"{GONE}: {shared.id}"


def test_what_strangers_had_a_hand_in_is_marked_and_holds_their_words(document: Desk) -> None:
    own = document.make("clean oolong")
    assert document.call(action="read", id=own.id).metadata["holds"] == ["private"]
    spoilt = document.make("spoilt oolong", untrusted=True)
    for arguments in ({"action": "read", "id": spoilt.id}, {"action": "list", "q": "spoilt"}):
        assert document.call(**arguments).metadata["holds"] == ["private", "untrusted"]
    document.service.update(document.user, own.id, DocumentChange(content="x oolong", untrusted=True))
    assert document(action="read", id=own.id)["untrusted"] is True


def test_the_description_says_what_the_config_allows(document: Desk) -> None:
    document.config = {"token_budget": 123, "max_content_length": 456, "approval_required_actions": []}
    text = document.tool.describe()
    assert "123 tokens" in text
    assert "456 characters" in text
    assert "asked before" not in text
