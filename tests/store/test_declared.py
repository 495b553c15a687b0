"""Declared things: what goes in comes out, and putting twice changes nothing."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.model import Model, Provider
from agentctl.domain.tool import Tool
from agentctl.store import Store


def test_an_agent_comes_back_with_its_tools_in_order(store: Store) -> None:
    for slug in ("a", "b"):
        store.tools.put(Tool(slug, slug.upper(), "uuid"))
    agent = Agent(
        slug="coder",
        name="编程助手",
        default_model=("openai/x", "local/y"),
        options={"temperature": 0.2},
        tools=(AgentTool("b", True, 0, {"timeout": 3}), AgentTool("a", None, 1)),
        source="agents.yaml",
    )
    store.agents.put(agent)
    stored = store.agents.get("coder")
    assert stored is not None
    assert stored.id > 0
    assert stored == replace(agent, id=stored.id)
    assert store.agents.list() == [stored]


def test_a_new_default_agent_takes_over_from_the_old_one(store: Store) -> None:
    store.agents.put(Agent("a", "A", is_default=True))
    store.agents.put(Agent("b", "B", is_default=True))
    default = store.agents.default()
    assert default is not None
    assert default.slug == "b"


def test_without_a_default_the_lowest_sort_order_answers(store: Store) -> None:
    store.agents.put(Agent("a", "A", sort_order=5))
    store.agents.put(Agent("b", "B", sort_order=2))
    store.agents.put(Agent("c", "C", sort_order=1, enabled=False))
    default = store.agents.default()
    assert default is not None
    assert default.slug == "b"


def test_a_deleted_tool_leaves_its_agents(store: Store) -> None:
    store.tools.put(Tool("a", "A", "uuid"))
    store.agents.put(Agent("x", "X", tools=(AgentTool("a"),)))
    store.tools.delete("a")
    agent = store.agents.get("x")
    assert agent is not None
    assert agent.tools == ()


def test_an_unknown_tool_cannot_be_associated(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.agents.put(Agent("x", "X", tools=(AgentTool("missing"),)))
    assert store.agents.get("x") is None


def test_providers_and_models_come_back_as_they_were(store: Store) -> None:
    provider = Provider(
        "p", "openai", "https://x/v1", "KEY", ("pass", "x"), {"h": {"env": "H"}}, {"o": 1}, "s"
    )
    model = Model("m", "p", "gpt", 1000, 100, 0.5, 1.5, {"temperature": 0}, "s")
    for _ in range(2):
        store.providers.put(provider)
        store.models.put(model)
    assert (store.providers.list(), store.models.list()) == ([provider], [model])


def test_a_user_is_created_once(store: Store) -> None:
    assert store.users.ensure("me") == store.users.ensure("me")
    assert store.users.find(99) is None


def test_a_private_provider_is_its_users_alone(store: Store) -> None:
    me, other = store.users.ensure("me").id, store.users.ensure("other").id
    common, private = Provider("p", "openai", "https://common"), Provider("p", "openai", "https://private")
    store.providers.put(common)
    store.providers.put(private, me)
    mine = replace(private, private=True)
    assert [store.providers.get("p", each) for each in (me, other, None)] == [mine, common, common]
    assert store.providers.list(me) == [mine, common]
    assert store.providers.list(other) == store.providers.list() == [common]


def test_a_private_provider_and_its_namesake_are_deleted_apart(store: Store) -> None:
    me = store.users.ensure("me").id
    common = Provider("p", "openai", "https://common")
    store.providers.put(common)
    store.providers.put(common, me)
    store.providers.delete("p")
    assert store.providers.list(me) == [replace(common, private=True)]
    store.providers.delete("p", me)
    assert store.providers.get("p", me) is None


def test_a_private_model_is_its_users_alone_and_comes_first(store: Store) -> None:
    me, you = store.users.ensure("me"), store.users.ensure("you")
    everybodys = Model("m", "p", "common", inputs=(), cached_input_price=0.5)
    mine = Model("m", "p", "mine", inputs=("image", "pdf"), private=True)
    store.models.put(everybodys)
    store.models.put(mine, me.id)
    assert store.models.list() == store.models.list(you.id) == [everybodys]
    assert store.models.list(me.id) == [mine, everybodys]
    assert [store.models.get("m", user) for user in (me.id, you.id, None)] == [mine, everybodys, everybodys]
    store.models.delete("m")
    assert store.models.list(me.id) == [mine]
    store.models.delete("m", me.id)
    assert store.models.list(me.id) == []


def test_a_preferred_model_is_kept_and_taken_back(store: Store) -> None:
    user = store.users.ensure("me")
    store.users.prefer(user.id, "openai/x")
    assert store.users.ensure("me").preferred_model == "openai/x"
    store.users.prefer(user.id, None)
    assert store.users.ensure("me") == user
