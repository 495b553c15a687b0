"""Which model answers: the first source that names one, private things before common ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agentctl.domain.agent import Agent
from agentctl.domain.model import Model, Provider
from agentctl.domain.session import Session
from agentctl.domain.user import User
from agentctl.errors import NotFound
from agentctl.models.resolver import Resolver
from agentctl.providers import BUILT_IN
from agentctl.store import Store

AGENT = Agent("coder", "Coder", default_model=("openai/agents", "ollama/second", "local/third"))
USER = User(1, "me", "openai/preferred")
SESSION = Session("as_1", 1, "coder", None, "openai/sessions", None, None, 0, 0, 0)


def make_resolver(store: Store, variable: str | None = None) -> Resolver:
    return Resolver(store, BUILT_IN, "local/embedded", variable)


def test_the_order_is_that_of_the_contract(store: Store) -> None:
    store.settings.set("default_model", "openai/global")
    resolver = make_resolver(store)
    nobody, plain = replace(USER, preferred_model=None), replace(AGENT, default_model=())
    chosen = [
        resolver.choose(AGENT, USER, SESSION, "openai/flag"),
        make_resolver(store, "openai/variable").choose(AGENT, USER, SESSION),
        resolver.choose(AGENT, USER, SESSION),
        resolver.choose(AGENT, USER),
        resolver.choose(AGENT, nobody),
        resolver.choose(plain, nobody),
    ]
    store.settings.set("default_model", None)
    chosen.append(resolver.choose(plain, nobody))
    names = "flag", "variable", "sessions", "preferred", "agents", "global", "embedded"
    assert [models[0].model.name for models in chosen] == list(names)
    assert chosen[0][0].reason == "given with -m"
    assert chosen[4][0].reason == "the default of agent coder"


def test_a_flag_beats_the_variable_and_a_merged_one_is_told_apart(store: Store) -> None:
    resolver = make_resolver(store, "openai/variable")
    assert resolver.choose(AGENT, USER, None, "openai/flag")[0].reason == "given with -m"
    assert resolver.choose(AGENT, USER, None, "openai/variable")[0].reason == "given with AGENTCTL_MODEL"


def test_only_the_agents_list_has_fallbacks(store: Store) -> None:
    resolver = make_resolver(store)
    models = resolver.choose(AGENT, replace(USER, preferred_model=None))
    assert [model.reference for model in models] == list(AGENT.default_model)
    assert [model.reason for model in models[1:]] == [
        "fallback 1 of agent coder",
        "fallback 2 of agent coder",
    ]
    assert len(resolver.choose(AGENT, USER)) == 1
    assert len(resolver.choose(AGENT, USER, None, "openai/agents")) == 1


def test_a_fallback_that_nobody_knows_is_an_error_now_and_not_at_night(store: Store) -> None:
    agent = replace(AGENT, default_model=("openai/x", "nope"))
    with pytest.raises(NotFound, match="fallback 1 of agent coder"):
        make_resolver(store).choose(agent, replace(USER, preferred_model=None))


def test_an_undeclared_model_has_the_facts_of_the_catalogue(store: Store) -> None:
    found = make_resolver(store).find("openai/gpt-4.1-mini")
    assert (found.model.name, found.model.input_price) == ("gpt-4.1-mini", 0.4)
    assert found.origin == "openai/gpt-4.1-mini"


def test_a_declared_model_says_what_it_says_and_gets_the_rest(store: Store) -> None:
    store.models.put(Model("mini", "openai", "gpt-4.1-mini", input_price=9.0))
    found = make_resolver(store).find("mini")
    assert (found.model.input_price, found.model.output_price) == (9.0, 1.6)
    assert (found.reference, found.model.slug) == ("mini", "mini")


def test_what_is_private_comes_first_and_is_nobody_elses(store: Store) -> None:
    me, you = store.users.ensure("me"), store.users.ensure("you")
    store.providers.put(Provider("openai", "openai", "https://mine.example/v1"), me.id)
    store.models.put(Model("fast", "openai", "common"))
    store.models.put(Model("fast", "openai", "mine"), me.id)
    resolver = make_resolver(store)
    mine = resolver.find("fast", user_id=me.id)
    assert (mine.model.name, mine.provider.base_url) == ("mine", "https://mine.example/v1")
    assert (mine.model.private, mine.provider.private) == (True, True)
    for user in (None, you.id):
        theirs = resolver.find("fast", user_id=user)
        assert (theirs.model.name, theirs.provider) == ("common", BUILT_IN["openai"])


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("gpt-4.1-mini", "openai/gpt-4.1-mini"),
        ("gpt-4.1-minni", "openai/gpt-4.1-mini"),
        ("qwen2.5-coder-0.5b", "local/qwen2.5-coder-0.5b"),
        ("quicck", "quick"),
        ("zzzz", None),
    ],
)
def test_an_unknown_model_is_not_found_and_a_near_one_suggested(
    store: Store, word: str, meant: str | None
) -> None:
    store.models.put(Model("quick", "openai", "gpt-4.1-mini"))
    with pytest.raises(NotFound) as caught:
        make_resolver(store).find(word)
    if meant:
        assert f'(did you mean "{meant}"?)' in caught.value.message
    assert "agentctl models list" in str(caught.value.hint)


def test_only_models_whose_provider_is_known_are_suggested(store: Store) -> None:
    built_in = {"local": BUILT_IN["local"]}
    with pytest.raises(NotFound) as caught:
        Resolver(store, built_in, "local/x").find("gpt-4.1-mini")
    assert "did you mean" not in caught.value.message


@pytest.mark.parametrize("reference", ["openai", "openai/"])
def test_a_provider_without_a_model_is_told_how_to_name_one(store: Store, reference: str) -> None:
    with pytest.raises(NotFound) as caught:
        make_resolver(store).find(reference)
    assert "write openai/MODEL" in (caught.value.hint or "")


def test_an_error_names_the_place_that_the_word_came_from(store: Store) -> None:
    with pytest.raises(NotFound, match=r'unknown model "nope", given with AGENTCTL_MODEL'):
        make_resolver(store, "nope").choose(AGENT, USER)
    with pytest.raises(NotFound, match=r'unknown provider "opnai" in "opnai/x", given with -m .*"openai"'):
        make_resolver(store).choose(AGENT, USER, None, "opnai/x")
