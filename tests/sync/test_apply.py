from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.tool import Tool
from agentctl.errors import Busy, ConfigError
from agentctl.store import Store
from agentctl.sync.apply import apply_plan, make_plan
from agentctl.sync.schema import read_declared
from agentctl.sync.state import read_state
from tests.sync.conftest import Write

TEXT = """
default_model: fast
providers: [{slug: work, kind: openai, base_url: "http://127.0.0.1:1/v1", api_key_env: WORK_KEY}]
models: [{slug: fast, provider: work, name: f, input_price: 1, output_price: 2.5}]
tools:
  - {slug: calc, type: calculator, config: {timeout: 5}}
  - {slug: uuid, type: uuid, needs_approval: true}
agents:
  - {slug: a, is_default: true, options: {temperature: 0.1},
     tools: [uuid, {slug: calc, needs_approval: false, config: {timeout: 9}}]}
  - {slug: b, default_model: [fast, openai/x]}
"""


def test_what_is_declared_is_in_the_database_after_an_apply(store: Store, folder: Path, write: Write) -> None:
    path = write(TEXT)
    declared = read_declared([], folder)
    apply_plan(store, declared)
    agents = store.agents.list()
    assert [replace(agent, id=0) for agent in agents] == list(declared.agents)
    assert agents[0].tools == (AgentTool("uuid"), AgentTool("calc", False, 1, {"timeout": 9}))
    assert store.tools.list() == sorted(declared.tools, key=lambda tool: tool.slug)
    assert store.models.list() == list(declared.models)
    assert store.providers.list() == list(declared.providers)
    assert store.settings.get("default_model") == "fast"
    assert {agent.source for agent in agents} == {str(path)}


def test_applying_twice_changes_nothing_and_records_nothing(store: Store, folder: Path, write: Write) -> None:
    write(TEXT)
    first = apply_plan(store, read_declared([], folder))
    second = apply_plan(store, read_declared([], folder))
    assert len(first.changes) == 7
    assert second.changes == ()
    assert second.counts == {"create": 0, "update": 0, "delete": 0, "unchanged": 6}
    assert store.revisions.current() == 1


def test_a_plan_alone_writes_nothing(store: Store, folder: Path, write: Write) -> None:
    write(TEXT)
    make_plan(store, read_declared([], folder))
    assert store.agents.list() == []
    assert store.revisions.current() == 0


def test_a_confirmed_plan_is_carried_out_while_nothing_else_changed(
    store: Store, folder: Path, write: Write
) -> None:
    write(TEXT)
    declared = read_declared([], folder)
    plan = make_plan(store, declared)
    assert apply_plan(store, declared, confirmed=plan) == plan
    assert make_plan(store, declared).changes == ()


@pytest.mark.parametrize("change", ["agent", "tool", "setting", "apply"])
def test_a_confirmed_plan_is_refused_when_another_process_changed_the_database(
    store: Store, folder: Path, write: Write, change: str
) -> None:
    write(TEXT)
    declared = read_declared([], folder)
    plan = make_plan(store, declared)
    other = Store(store.path)
    if change == "agent":
        other.agents.put(Agent("hand", "By hand"))
    elif change == "tool":
        other.tools.put(Tool("hand", "By hand", "uuid"))
    elif change == "setting":
        other.settings.set("default_model", "openai/z")
    else:
        write("agents: [{slug: c}]", "c.yaml")
        apply_plan(other, read_declared(["c.yaml"], folder))
    before = read_state(other)
    other.close()
    with pytest.raises(Busy, match="changed since this plan was made") as caught:
        apply_plan(store, declared, confirmed=plan)
    assert caught.value.code == 10
    assert read_state(store) == before


def test_a_plan_for_other_files_is_not_what_was_confirmed(store: Store, folder: Path, write: Write) -> None:
    write(TEXT)
    plan = make_plan(store, read_declared([], folder))
    write(TEXT.replace("0.1", "0.9"))
    with pytest.raises(Busy):
        apply_plan(store, read_declared([], folder), confirmed=plan)


def test_a_failing_apply_changes_nothing(store: Store, folder: Path, write: Write) -> None:
    write("tools: [{slug: calc, type: calculator}]\nagents: [{slug: a, tools: [calc]}]\n")
    declared = read_declared([], folder)
    apply_plan(store, declared)
    before = read_state(store)
    # A name that no validation would let through breaks the last write, after others have succeeded.
    broken = replace(
        declared,
        tools=(*declared.tools, Tool("new", "New", "uuid")),
        agents=(*declared.agents, Agent("bad", "x" * 200)),
    )
    with pytest.raises(sqlite3.IntegrityError):
        apply_plan(store, broken)
    assert read_state(store) == before


def test_a_tool_that_vanished_after_validation_fails_the_apply_as_a_whole(
    store: Store, folder: Path, write: Write
) -> None:
    store.tools.put(Tool("calc", "C", "calculator"))
    write("tools: [{slug: new, type: uuid}]\nagents: [{slug: a, tools: [calc]}]\n")
    declared = read_declared([], folder, read_state(store))
    store.tools.delete("calc")
    with pytest.raises(ConfigError, match='agent a needs the tool "calc"'):
        apply_plan(store, declared)
    assert store.tools.list() == []


def test_prune_removes_what_the_files_no_longer_hold(store: Store, folder: Path, write: Write) -> None:
    write(TEXT)
    store.agents.put(Agent("hand", "By hand"))
    apply_plan(store, read_declared([], folder))
    write("agents: [{slug: a, is_default: true}]\n")
    kept = apply_plan(store, read_declared([], folder))
    assert kept.counts["delete"] == 0
    plan = apply_plan(store, read_declared([], folder), prune=True)
    assert plan.counts["delete"] == 5
    assert [agent.slug for agent in store.agents.list()] == ["a", "hand"]
    assert store.tools.list() == []
    assert store.providers.list() == []


def test_two_sets_of_files_do_not_prune_each_other(store: Store, folder: Path, write: Write) -> None:
    write("agents: [{slug: a}]", "a.yaml")
    write("agents: [{slug: b}]", "b.yaml")
    apply_plan(store, read_declared(["a.yaml"], folder))
    apply_plan(store, read_declared(["b.yaml"], folder), prune=True)
    write("", "b.yaml")
    apply_plan(store, read_declared(["b.yaml"], folder), prune=True)
    assert [agent.slug for agent in store.agents.list()] == ["a"]


def test_the_default_moves_from_one_agent_to_another(store: Store, folder: Path, write: Write) -> None:
    write("agents: [{slug: a, is_default: true}, {slug: b}]")
    apply_plan(store, read_declared([], folder))
    write("agents: [{slug: a}, {slug: b, is_default: true}]")
    apply_plan(store, read_declared([], folder))
    assert [agent.is_default for agent in store.agents.list()] == [False, True]
    write("agents: [{slug: c, is_default: true}]")
    apply_plan(store, read_declared([], folder))
    assert [agent.slug for agent in store.agents.list() if agent.is_default] == ["c"]
    assert make_plan(store, read_declared([], folder)).changes == ()


def test_the_revision_says_what_was_done(store: Store, folder: Path, write: Write) -> None:
    path = write("agents: [{slug: a}]")
    apply_plan(store, read_declared([], folder))
    row = store.database.one("SELECT source, summary FROM apply_revisions")
    assert row is not None
    assert str(path) in row["source"]
    assert '"create agent a"' in row["summary"]
