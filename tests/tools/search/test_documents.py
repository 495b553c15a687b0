"""The backend `documents`: the user's own, ranked, without a network."""

from __future__ import annotations

from agentctl.domain.ids import now_ms
from agentctl.store import Store
from tests.tools.document.conftest import Desk


def desk(store: Store) -> Desk:
    search = Desk(store, "search")
    search.config = {"backend": "documents"}
    return search


def test_own_documents_are_found_with_id_and_summary(store: Store) -> None:
    search = desk(store)
    tea = search.make("Ann drinks\noolong tea.", title="Tea", type="memory")
    search.make("coffee", title="Other")
    search.make("oolong of another user", user="bob")
    (row,) = search(query="oolong")["results"]
    assert list(row) == ["id", "title", "type", "snippet", "date"]
    assert (row["id"], row["type"], row["snippet"]) == (tea.id, "memory", "Ann drinks oolong tea.")


def test_since_and_count_narrow_it(store: Store) -> None:
    search = desk(store)
    search.make("oolong old", created_at=now_ms() - 40 * 86_400_000)
    new = [search.make(f"oolong {number}").id for number in range(3)]
    assert {row["id"] for row in search(query="oolong", since="month")["results"]} == set(new)
    assert len(search(query="oolong", count=2)["results"]) == 2


def test_it_reads_what_is_private_and_needs_a_user(store: Store) -> None:
    search = desk(store)
    assert (search.tool.find_risk(), search.tool.find_obstacle()) == ("read", None)
    assert "site" not in search.tool.arguments_schema()["properties"]
    assert search.call(query="oolong").metadata["holds"] == ["private"]
    search.make("oolong", untrusted=True)
    assert search.call(query="oolong").metadata["holds"] == ["private", "untrusted"]
    search.user = None
    assert search.refused(query="oolong") == "this tool needs a user"
