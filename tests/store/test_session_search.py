"""Messages are found by their words, in any script, and never those of another user."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.domain.agent import Agent
from agentctl.domain.message import Message, Reasoning, Text
from agentctl.domain.session_search import SessionSearch
from agentctl.store import Store
from agentctl.store.session_search import SNIPPET, find_terms, search_messages


@pytest.fixture
def say(store: Store) -> Any:
    """Say something in a new session; gives the session's id."""
    store.agents.put(Agent(slug="a", name="A"))

    def add(
        text: str, *, user: str = "ada", role: str = "user", at: int = 1_000, session: str | None = None
    ) -> str:
        user_id = store.users.ensure(user).id
        session = session or store.sessions.create(user_id, 1, "a", None, 1)
        store.messages.add(Message(role, (Text(text),), session_id=session, created_at=at))
        return session

    return add


def find(store: Store, words: str, **more: Any) -> list[str]:
    given = {"user_id": store.users.ensure("ada").id, "words": words, "limit": 5, **more}
    return [hit.snippet for hit in search_messages(store.database, SessionSearch(**given))]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We chose PostgreSQL for the shop", "postgresql"),
        ("数据库的部署方案是滚动更新", "部署方案"),
        ("明日は東京で会議があります", "東京の会議"),
        ("서울에서 만나요", "서울"),
        ("Die Änderung an der STRASSE", "änderung straße"),
        ("ÄNDERUNG", "Änderung"),
        ('the "quoted" one', '"quoted"'),
        ("100% of a_b\\c", "100% a_b\\c"),
        ("use the 🦊 emoji of 北京 now", "北京 emoji"),
    ],
)
def test_words_are_found_whatever_their_script_and_case(
    store: Store, say: Any, text: str, words: str
) -> None:
    say(text)
    say("something else 完全不同的事")
    assert find(store, words) == [text]


def test_another_users_messages_are_never_found(store: Store, say: Any) -> None:
    say("the secret plan", user="bob")
    assert find(store, "secret plan") == []


def test_the_session_that_asks_is_left_out(store: Store, say: Any) -> None:
    current = say("apples now", at=2)
    say("apples then", at=1)
    assert find(store, "apples", except_session=current) == ["apples then"]


def test_most_words_come_first_then_the_newest(store: Store, say: Any) -> None:
    say("red apples", at=1)
    say("red pears", at=2)
    say("green pears", at=3)
    say("red apples again", at=4)
    assert find(store, "red apples") == ["red apples again", "red apples", "red pears"]
    assert find(store, "red apples", limit=1) == ["red apples again"]


def test_half_of_the_words_must_be_there(store: Store, say: Any) -> None:
    say("only apples")
    assert find(store, "apples pears plums") == []
    assert find(store, "apples pears") == ["only apples"]


def test_what_is_older_is_left_out(store: Store, say: Any) -> None:
    say("apples", at=1_000)
    assert find(store, "apples", since=1_001) == []


def test_only_what_was_said_is_searched(store: Store, say: Any) -> None:
    session = say("hello")
    parts = (Reasoning("the hidden thought"), Text("fine"))
    store.messages.add(Message("assistant", parts, session_id=session, created_at=1))
    assert find(store, "hidden thought") == []
    assert find(store, "text type") == []


def test_a_snippet_shows_what_was_found_in_bounded_length(store: Store, say: Any) -> None:
    say("x" * 5_000 + " the needle " + "y" * 5_000)
    (snippet,) = find(store, "needle")
    assert "the needle" in snippet
    assert snippet.startswith("...")
    assert snippet.endswith("...")
    assert len(snippet) <= SNIPPET + 6


def test_nothing_to_look_for_finds_nothing(store: Store, say: Any) -> None:
    say("apples")
    assert find(store, "?! ...") == []


def test_terms_are_bounded() -> None:
    assert find_terms("数据库 Wal mode") == ("数据", "据库", "wal", "mode")
    assert len(find_terms("字" * 50 + " ".join(map(str, range(500))))) == 16
