"""Runs as they are listed: one's own, newest first, by what one asks for."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.domain.agent import Agent
from agentctl.domain.message import Message, Text
from agentctl.domain.states import RunStatus
from agentctl.store import Store
from agentctl.store.runs import NewRun

PLANS = "EXPLAIN QUERY PLAN "


class Book:
    """Sessions and runs of one user."""

    def __init__(self, store: Store, name: str = "tester") -> None:
        self.store = store
        for slug in ("coder", "writer"):
            store.agents.put(Agent(slug, slug))
        self.user = store.users.ensure(name).id

    def session(self) -> str:
        return self.store.sessions.create(self.user, self.store.agents.require("coder").id, "coder", None, 0)

    def run(
        self,
        session: str,
        status: RunStatus = "done",
        *,
        agent: str = "coder",
        prompt: str = "hi",
        at: int = 0,
    ) -> str:
        run = self.store.runs.start(NewRun(session, self.user, agent, "p/m", "/", 0, {}))
        self.store.messages.add(Message("user", (Text(prompt),), session_id=session, run_id=run))
        self.store.database.execute(
            "UPDATE agent_runs SET status = ?, created_at = ? WHERE id = ?", (status, at, run)
        )
        return run

    def found(self, *, gone: tuple[str, ...] = (), **wanted: Any) -> list[str]:
        return [run.id for run, _ in self.store.run_lists.search(self.user, gone=gone, **wanted)]


@pytest.fixture
def book(store: Store) -> Book:
    return Book(store)


def test_runs_come_newest_first_in_pages_with_their_prompts(book: Book) -> None:
    session = book.session()
    first, second, third = (book.run(session, prompt=f"問 {at}", at=at) for at in (1, 2, 3))
    assert book.found() == [third, second, first]
    assert book.found(limit=1, offset=1) == [second]
    assert [prompt for _, prompt in book.store.run_lists.search(book.user, gone=())] == [
        "問 3",
        "問 2",
        "問 1",
    ]


def test_only_ones_own_runs_are_found(book: Book) -> None:
    stranger = Book(book.store, "stranger")
    stranger.run(stranger.session(), "running")
    assert book.found() == []
    assert book.store.run_lists.live(book.user) == []


def test_a_list_can_be_narrowed(book: Book) -> None:
    session, other = book.session(), book.session()
    old = book.run(session, "failed", at=1)
    new = book.run(other, "failed", agent="writer", at=10)
    assert book.found(agent="writer") == [new]
    assert book.found(session_id=session) == [old]
    assert book.found(since=2) == [new]
    assert book.found(status="failed", since=2, session_id=session) == []


def test_a_run_whose_process_is_gone_counts_as_interrupted(book: Book) -> None:
    lost, lives = book.run(book.session(), "running", at=1), book.run(book.session(), "running", at=2)
    marked = book.run(book.session(), "interrupted", at=3)
    assert book.found(gone=(lost,), status="interrupted") == [marked, lost]
    assert book.found(gone=(lost,), status="running") == [lives]


def test_the_run_of_a_session_is_the_one_that_goes_on_or_the_newest(book: Book) -> None:
    session = book.session()
    assert book.store.run_lists.newest(session) is None
    waits = book.run(session, "awaiting_approval", at=1)
    done = book.run(session, at=2)
    newest = book.store.run_lists.newest(session)
    assert newest is not None
    assert newest.id == waits
    book.store.database.execute("UPDATE agent_runs SET status = 'aborted' WHERE id = ?", (waits,))
    newest = book.store.run_lists.newest(session)
    assert newest is not None
    assert newest.id == done


def test_lists_walk_an_index_from_its_end_and_sort_nothing_but_equal_times(book: Book) -> None:
    statements: list[str] = []
    book.store.database.connection.set_trace_callback(statements.append)
    book.found(limit=50)
    book.store.run_lists.live(book.user)
    book.store.database.connection.set_trace_callback(None)
    listing, live = (
        " ".join(row["detail"] for row in book.store.database.execute(PLANS + statement))
        for statement in statements
    )
    assert "agent_runs_user_idx (user_id=? AND created_at>?)" in listing
    assert "agent_messages_run_idx" in listing
    # The prompt's own; the runs come in the order of the index.
    assert listing.count("TEMP B-TREE FOR ORDER BY") == 1
    assert "idx_agent_runs_live" in live
