from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.model import Model, Provider
from agentctl.domain.plan import Change, KeyRoute, Plan
from agentctl.domain.tool import Tool
from agentctl.errors import ConfigError
from agentctl.sync.declared import Declared, Origin
from agentctl.sync.plan import compare
from agentctl.sync.state import State

FILE = "/p/agents.yaml"
ORIGIN = Origin(frozenset({FILE, "/p/tools.yaml"}))
CALC = Tool("calc", "Calculator", "calculator", source=FILE)


def state(*things: Any, default_model: str | None = None) -> State:
    kinds: dict[type, dict[str, Any]] = {Provider: {}, Model: {}, Tool: {}, Agent: {}}
    for thing in things:
        kinds[type(thing)][thing.slug] = thing
    return State(kinds[Provider], kinds[Model], kinds[Tool], kinds[Agent], default_model)


def declared(*things: Any, origin: Origin = ORIGIN, default_model: str | None = None) -> Declared:
    def of(kind: type) -> tuple[Any, ...]:
        return tuple(thing for thing in things if isinstance(thing, kind))

    return Declared(origin, of(Provider), of(Model), of(Tool), of(Agent), default_model)


def lines(plan: Plan) -> list[str]:
    return [f"{change.kind} {change.noun} {change.slug}" for change in plan.changes]


def only(plan: Plan) -> Change:
    (change,) = plan.changes
    return change


def test_on_an_empty_database_everything_is_created_in_the_order_of_need() -> None:
    agent = Agent("a", "A", max_step_count=3, tools=(AgentTool("calc"),), source=FILE)
    things = (agent, CALC, Model("m", "p", "m"), Provider("p", "openai"))
    plan = compare(declared(*things, default_model="m"), state())
    assert lines(plan) == [
        "create provider p",
        "create model m",
        "create tool calc",
        "create agent a",
        "create setting default_model",
    ]
    assert plan.changes[3].fields == (
        ("name", None, "A"),
        ("max_step_count", None, 3),
        ("tools", None, ["calc"]),
    )
    assert plan.counts == {"create": 5, "update": 0, "delete": 0, "unchanged": 0}


def test_what_is_the_same_is_only_counted() -> None:
    stored = Agent("a", "A", tools=(AgentTool("calc", config={"x": 1, "y": 2}),), id=7, source=FILE)
    wanted = replace(stored, id=0, tools=(AgentTool("calc", config={"y": 2, "x": 1}),))
    plan = compare(
        declared(wanted, CALC, default_model="m"),
        state(stored, CALC, Model("m", "p", "m"), default_model="m"),
    )
    assert plan.changes == ()
    assert plan.unchanged == 2


def test_an_update_tells_each_field_old_and_new() -> None:
    old = Agent(
        "a", "A", description="x", default_model=("openai/a",), tools=(AgentTool("calc"),), source=FILE
    )
    new = replace(
        old,
        description=None,
        default_model=("openai/a", "openai/b"),
        tools=(AgentTool("calc", needs_approval=True, sort_order=4),),
    )
    change = only(compare(declared(new), state(old, CALC)))
    assert (change.kind, change.noun, change.slug) == ("update", "agent", "a")
    assert change.fields == (
        ("description", "x", None),
        ("default_model", "openai/a", ["openai/a", "openai/b"]),
        ("tools", ["calc"], [{"slug": "calc", "needs_approval": True, "sort_order": 4}]),
    )
    assert change.value == new


@pytest.mark.parametrize(("before", "after"), [(1, True), (0, False), ([1], [True])])
def test_values_that_only_python_calls_equal_are_a_change(before: Any, after: Any) -> None:
    old = Agent("a", "A", options={"x": before}, source=FILE)
    assert compare(declared(replace(old, options={"x": after})), state(old)).changes
    tool = replace(CALC, config={"x": before})
    assert compare(declared(replace(tool, config={"x": after})), state(tool)).changes


def test_nothing_is_deleted_without_prune() -> None:
    assert compare(declared(), state(CALC)).changes == ()


def test_prune_deletes_what_these_files_created_and_hold_no_more() -> None:
    mine = Agent("mine", "M", source="/p/tools.yaml")
    provider = Provider("p", "openai", source=FILE)
    model = Model("m", "p", "m", source=FILE)
    plan = compare(declared(), state(mine, CALC, provider, model), prune=True)
    assert lines(plan) == ["delete agent mine", "delete tool calc", "delete model m", "delete provider p"]


def test_prune_leaves_what_was_made_by_hand_or_by_other_files() -> None:
    others = [
        Agent("hand", "H"),
        Agent("other", "O", source="/q/agents.yaml"),
        Tool("built", "B", "uuid", source="built in"),
    ]
    assert compare(declared(), state(*others), prune=True).changes == ()


def test_declaring_what_was_made_by_hand_does_not_make_it_prunable() -> None:
    hand = Agent("hand", "H")
    change = only(compare(declared(replace(hand, name="New", source=FILE)), state(hand)))
    assert change.fields == (("name", "H", "New"),)
    assert change.value.source is None
    assert compare(declared(replace(hand, source=FILE)), state(hand)).changes == ()


def test_moving_something_to_another_of_these_files_moves_its_owner() -> None:
    moved = replace(CALC, source="/p/tools.yaml")
    change = only(compare(declared(moved), state(CALC)))
    assert change.fields == (("source", FILE, "/p/tools.yaml"),)
    assert change.value == moved


def test_prune_covers_files_that_are_gone_from_a_folder() -> None:
    origin = Origin(frozenset({"/p/a.yaml"}), frozenset({"/p"}))
    gone = Tool("gone", "G", "uuid", source="/p/gone.yaml")
    assert lines(compare(declared(origin=origin), state(gone), prune=True)) == ["delete tool gone"]


def test_prune_refuses_to_take_what_a_declared_agent_needs() -> None:
    agent = Agent("a", "A", default_model=("m",), title_model="p/x", tools=(AgentTool("calc"),), source=FILE)
    gone = [CALC, Model("m", "p", "m", source=FILE), Provider("p", "openai", source=FILE)]
    with pytest.raises(ConfigError) as caught:
        compare(declared(agent), state(agent, *gone), prune=True)
    assert caught.value.problems == (
        'agent a needs the tool "calc", which would not be there',
        'agent a needs the model "m", which would not be there',
        'agent a needs the model "p/x", which would not be there',
    )
    assert compare(declared(agent), state(agent, *gone)).changes == ()


def test_prune_says_which_other_agents_lose_a_tool() -> None:
    hand = Agent("hand", "H", tools=(AgentTool("calc"), AgentTool("own")))
    plan = compare(declared(), state(hand, CALC, Tool("own", "O", "uuid")), prune=True)
    assert lines(plan) == ["update agent hand", "delete tool calc"]
    update = plan.changes[0]
    assert update.note == "it loses calc"
    assert update.value.tools == (AgentTool("own"),)


def test_prune_says_who_still_names_a_model_that_goes() -> None:
    hand = Agent("hand", "H", default_model=("m",))
    plan = compare(
        declared(), state(hand, Model("m", "openai", "m", source=FILE), default_model="m"), prune=True
    )
    assert only(plan).note == "still named by the global default, agent hand"


def test_a_new_default_agent_shows_who_loses_the_place() -> None:
    old = Agent("old", "O", is_default=True, id=1)
    plan = compare(declared(Agent("new", "N", is_default=True, source=FILE)), state(old))
    assert lines(plan) == ["create agent new", "update agent old"]
    assert plan.changes[1].fields == (("is_default", True, False),)
    assert plan.changes[1].note == '"new" becomes the default'


def test_a_default_model_that_no_file_names_is_left_alone() -> None:
    assert compare(declared(), state(default_model="openai/x"), prune=True).changes == ()


def test_key_routes_list_each_variable_and_origin_and_mark_the_new() -> None:
    old = Provider("old", "openai", "https://OLD.example/v1", api_key_env="OLD_KEY")
    new = Provider(
        "new",
        "openai",
        "http://127.0.0.1:8080/v1",
        api_key_cmd=("pass", "show", "x"),
        headers={"x-a": {"env": "A"}, "x-b": {"key": "b"}, "x-c": "text"},
    )
    plain = Provider("plain", "openai", api_key_env="OPENAI_API_KEY")
    keyless = Provider("free", "openai", "http://127.0.0.1/v1")
    plan = compare(declared(new, plain, keyless), state(old))
    assert plan.key_routes == (
        KeyRoute("new", "A", "http://127.0.0.1:8080", True),
        KeyRoute("new", "command pass show x", "http://127.0.0.1:8080", True),
        KeyRoute("new", "key b", "http://127.0.0.1:8080", True),
        KeyRoute("old", "OLD_KEY", "https://old.example", False),
        KeyRoute("plain", "OPENAI_API_KEY", "https://api.openai.com", False),
    )


def test_a_known_key_that_goes_to_another_place_is_new() -> None:
    moved = Provider("openai", "openai", "https://evil.example/v1", api_key_env="OPENAI_API_KEY")
    (route,) = compare(declared(moved), state()).key_routes
    assert route == KeyRoute("openai", "OPENAI_API_KEY", "https://evil.example", True)


def test_the_routes_of_a_pruned_provider_are_gone() -> None:
    gone = Provider("p", "openai", "https://x.example", api_key_env="K", source=FILE)
    assert compare(declared(), state(gone), prune=True).key_routes == ()
