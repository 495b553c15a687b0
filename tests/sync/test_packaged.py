from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.tool import Tool
from agentctl.errors import UsageError
from agentctl.store import Store
from agentctl.sync.apply import apply_plan, make_plan
from agentctl.sync.generate import generated
from agentctl.sync.packaged import apply_packaged, declare_packaged
from agentctl.sync.schema import read_declared
from agentctl.sync.templates import SCHEMA_PATH, templates, write_templates
from agentctl.tools import TYPES, load_type
from agentctl.tools.config import read_config
from tests.sync.conftest import Write

ROOT = Path(__file__).parents[2]


def test_generated_files_are_up_to_date() -> None:
    for path, text in generated(ROOT).items():
        assert path.read_text(encoding="utf-8") == text, "run: python -m agentctl.sync.generate"


def test_the_shipped_agents_are_those_of_the_seed() -> None:
    declared = declare_packaged()
    default, coder = declared.agents
    assert (default.slug, default.name, default.max_step_count) == ("default", "Default assistant", 6)
    assert (default.is_default, default.title_strategy, default.enable_thinking) == (True, "llm", False)
    # `memory` is a second face of `document`, and an agent needs one of them.
    assert {tool.slug for tool in default.tools} == {tool.slug for tool in declared.tools} - {"memory"}
    assert (coder.slug, coder.enable_thinking, coder.max_step_count) == ("coder", True, 12)
    assert (coder.is_callable, coder.title_strategy) == (True, "first-line")
    assert [tool.slug for tool in coder.tools] == ["fetch_md", "search", "regex_tester"]
    assert declared.default_model is None
    assert default.default_model == coder.default_model == ()


def test_every_tool_type_is_shipped_that_needs_no_config() -> None:
    sound = {name for name in TYPES if not read_config(load_type(name), {})[1]}
    assert {tool.type for tool in declare_packaged().tools} == sound


def test_an_empty_database_gets_the_shipped_agents_once(store: Store) -> None:
    assert apply_packaged(store) is True
    assert [agent.slug for agent in store.agents.list()] == ["default", "coder"]
    assert {agent.source for agent in store.agents.list()} == {"built in"}
    assert store.revisions.current() == 1
    store.agents.delete("coder")
    assert apply_packaged(store) is False
    assert [agent.slug for agent in store.agents.list()] == ["default"]


def test_a_database_to_which_something_was_applied_is_left_alone(
    store: Store, folder: Path, write: Write
) -> None:
    write("agents: [{slug: mine}]")
    apply_plan(store, read_declared([], folder))
    assert apply_packaged(store) is False
    assert [agent.slug for agent in store.agents.list()] == ["mine"]


def test_what_was_made_by_hand_stays_as_it_is(store: Store) -> None:
    store.tools.put(Tool("calculator", "Mine", "uuid"))
    store.agents.put(Agent("coder", "Mine", tools=(AgentTool("calculator"),)))
    store.agents.put(Agent("own", "Own", is_default=True))
    assert apply_packaged(store) is True
    agents = {agent.slug: agent for agent in store.agents.list()}
    assert agents["coder"].name == "Mine"
    assert [slug for slug, agent in agents.items() if agent.is_default] == ["own"]
    assert {tool.slug: tool.name for tool in store.tools.list()}["calculator"] == "Mine"


def test_templates_can_be_applied_at_once_and_point_to_the_schema(store: Store, folder: Path) -> None:
    paths = write_templates(folder / "new")
    assert [path.name for path in paths] == ["agents.yaml", "tools.yaml"]
    for path in paths:
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first == f"# yaml-language-server: $schema={SCHEMA_PATH.resolve().as_uri()}"
    assert (
        len(apply_plan(store, read_declared([], folder / "new")).changes) == len(declare_packaged().tools) + 2
    )


def test_after_the_shipped_ones_the_templates_change_nothing(store: Store, folder: Path) -> None:
    apply_packaged(store)
    write_templates(folder)
    assert make_plan(store, read_declared([], folder), prune=True).changes == ()


def test_files_that_are_there_are_not_written_over(folder: Path, write: Write) -> None:
    path = write("mine", "tools.yaml")
    with pytest.raises(UsageError, match=r"already there: .*tools\.yaml"):
        write_templates(folder)
    assert path.read_text(encoding="utf-8") == "mine"
    assert not (folder / "agents.yaml").exists()
    write_templates(folder, replace_files=True)
    assert path.read_text(encoding="utf-8") == templates()["tools.yaml"]


def test_a_provider_that_was_applied_alone_leaves_nobody_without_agents(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "agents.yaml").write_text("providers: [{slug: mine, kind: openai, base_url: 'http://x'}]")
    run("apply --yes")
    assert [agent["slug"] for agent in run("agents list -o json").json()] == ["default", "coder"]
    assert "mine" in run("providers list -o ids").stdout
