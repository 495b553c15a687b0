from __future__ import annotations

from pathlib import Path

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.limits import Limits
from agentctl.domain.model import Model, Provider
from agentctl.domain.tool import Tool
from agentctl.formats.yaml import load
from agentctl.store import Store
from agentctl.sync.apply import apply_plan, make_plan
from agentctl.sync.export import export, export_files
from agentctl.sync.schema import read_declared
from agentctl.sync.state import read_state
from tests.formats.test_dump import ODD_TEXTS
from tests.sync.conftest import Write


def fill(store: Store) -> None:
    """Everything a database can hold, odd texts included."""
    store.providers.put(
        Provider(
            "work",
            "openai",
            "http://127.0.0.1:1/v1",
            api_key_cmd=("pass", "show", "no"),
            headers={"x-a": "yes", "x-key": {"env": "K"}},
            options={"a": [1, 1.5, None, True, "1e3"], "no": {"深": "值"}},
        )
    )
    store.models.put(Model("fast", "work", "12:34:56", 1000, None, 0.1, 2.0, {"stop": ["\n", "null"]}))
    store.tools.put(Tool("calc", "Rechner", "calculator", "~", {"timeout": 5}, False, False))
    store.tools.put(Tool("uuid", "yes", "uuid"))
    for number, text in enumerate(ODD_TEXTS):
        options = {"text": text, "list": [text]}
        store.agents.put(Agent(f"odd-{number}", "1e3", text, system_prompt=text, options=options))
    store.agents.put(
        Agent(
            "full",
            "全部 🙂",
            default_model=("fast", "openai/x"),
            title_model="fast",
            title_strategy="none",
            enable_thinking=True,
            enable_tools=False,
            max_step_count=99,
            is_default=True,
            is_callable=True,
            sort_order=-3,
            enabled=False,
            limits=Limits(0, 4000, 0.5, 1e-05, 90.5),
            tools=(
                AgentTool("uuid", True, -5),
                AgentTool("calc", None, 1, {"timeout": 7.5}),
            ),
        )
    )
    store.settings.set("default_model", "fast")


def test_export_then_plan_shows_no_change(store: Store, folder: Path, write: Write) -> None:
    fill(store)
    write(export(store), "all.yaml")
    plan = make_plan(store, read_declared(["all.yaml"], folder))
    assert plan.changes == ()
    assert plan.unchanged == len(ODD_TEXTS) + 5


def test_export_applied_to_an_empty_database_gives_the_same_export(
    store: Store, tmp_path: Path, folder: Path, write: Write
) -> None:
    fill(store)
    text = export(store)
    write(text, "all.yaml")
    copy = Store(tmp_path / "copy.db")
    apply_plan(copy, read_declared(["all.yaml"], folder))
    assert export(copy) == text
    copy.close()


def test_the_two_files_hold_the_same_as_the_one(store: Store, folder: Path, write: Write) -> None:
    fill(store)
    files = export_files(store)
    assert list(files) == ["agents.yaml", "tools.yaml"]
    for name, text in files.items():
        write(text, name)
    assert make_plan(store, read_declared([], folder)).changes == ()
    assert set(load(files["tools.yaml"], "t").value) == {"version", "tools"}


def test_an_export_is_for_people_and_leaves_defaults_out(store: Store, folder: Path, write: Write) -> None:
    text = """version: 1
default_model: openai/x
agents:
  - slug: a
    name: Anna
    system_prompt: |
      You are Anna.

      Be brief.
    default_model: openai/y
    tools:
      - calc
tools:
  - slug: calc
    name: Calculator
    type: calculator
"""
    write(text)
    apply_plan(store, read_declared([], folder))
    assert export(store) == text


def test_an_empty_database_exports_to_a_document_that_declares_nothing(
    store: Store, folder: Path, write: Write
) -> None:
    write(export(store))
    assert export(store) == "version: 1\n"
    assert make_plan(store, read_declared([], folder)).changes == ()


def test_nothing_of_a_thing_is_lost_on_the_way(
    store: Store, tmp_path: Path, folder: Path, write: Write
) -> None:
    fill(store)
    write(export(store))
    copy = Store(tmp_path / "copy.db")
    apply_plan(copy, read_declared([], folder))
    for ours, theirs in zip(read_state(store).agents.values(), read_state(copy).agents.values(), strict=True):
        assert ours.system_prompt == theirs.system_prompt
        assert ours.options == theirs.options
        assert ours.tools == theirs.tools
    copy.close()
