"""Finding sessions: whole ids, parts of them, the last one, and never another user's."""

from __future__ import annotations

import pytest

from agentctl.domain.agent import Agent
from agentctl.errors import NotFound, UsageError
from agentctl.store import Store


@pytest.fixture
def agent_id(store: Store) -> int:
    store.agents.put(Agent("default", "Default"))
    agent = store.agents.get("default")
    assert agent is not None
    return agent.id


def test_an_id_may_be_shortened_to_a_unique_start_or_end(store: Store, agent_id: int) -> None:
    user = store.users.ensure("tester")
    session = store.sessions.create(user.id, agent_id, "default", None, 0)
    assert store.sessions.find(user.id, session[-4:]).id == session
    assert store.sessions.find(user.id, session[:14]).id == session
    with pytest.raises(NotFound):
        store.sessions.find(user.id, session[-3:])


def test_a_part_that_means_several_names_them(store: Store, agent_id: int) -> None:
    user = store.users.ensure("tester")
    ids = [store.sessions.create(user.id, agent_id, "default", None, 0) for _ in range(2)]
    with pytest.raises(UsageError, match="several") as caught:
        store.sessions.find(user.id, "as_m")
    assert ids[0] in str(caught.value)


def test_last_is_the_one_with_the_newest_activity(store: Store, agent_id: int) -> None:
    user = store.users.ensure("tester")
    first, _ = (store.sessions.create(user.id, agent_id, "default", None, 0) for _ in range(2))
    store.sessions.touch(first)
    assert store.sessions.find(user.id, "@last").id == first


def test_another_users_session_does_not_exist(store: Store, agent_id: int) -> None:
    me, you = store.users.ensure("me"), store.users.ensure("you")
    session = store.sessions.create(me.id, agent_id, "default", None, 0)
    for reference in (session, session[-6:], "@last"):
        with pytest.raises(NotFound):
            store.sessions.find(you.id, reference)
    assert list(store.sessions.list(you.id)) == []


def test_a_title_is_given_once(store: Store, agent_id: int) -> None:
    user = store.users.ensure("tester")
    session = store.sessions.create(user.id, agent_id, "default", None, 0)
    assert store.sessions.set_title(session, "first")
    assert not store.sessions.set_title(session, "second")
    assert store.sessions.find(user.id, session).title == "first"


def test_a_session_outlives_its_agent(store: Store, agent_id: int) -> None:
    user = store.users.ensure("tester")
    session = store.sessions.create(user.id, agent_id, "default", None, 0)
    store.agents.delete("default")
    assert store.sessions.find(user.id, session).agent is None


def test_a_wildcard_in_a_part_is_only_text(store: Store, agent_id: int) -> None:
    user = store.users.ensure("tester")
    store.sessions.create(user.id, agent_id, "default", None, 0)
    with pytest.raises(NotFound):
        store.sessions.find(user.id, "as_%")
