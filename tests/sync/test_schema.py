from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.model import Model, Provider
from agentctl.domain.tool import Tool
from agentctl.errors import ConfigError
from agentctl.sync.schema import read_declared
from agentctl.sync.state import State
from tests.sync.conftest import Faults, Write

CALC = "tools: [{slug: calc, type: calculator}]\n"


def test_every_field_reaches_its_domain_value(folder: Path, write: Write) -> None:
    path = write("""
version: 1
default_model: fast
providers:
  - slug: work
    kind: openai
    base_url: http://127.0.0.1:8080/v1
    api_key_cmd: [pass, show, work]
    headers: {x-team: search, Authorization: {env: WORK}, x-api-key: {key: work}}
    options: {max_tokens_field: max_tokens}
models:
  - {slug: fast, provider: work, name: fast-2, context_window: 1000, max_output_tokens: 10,
     input_price: 1, output_price: 0.5, options: {temperature: 0}}
tools:
  - {slug: calc, name: Rechner, type: calculator, description: d, needs_approval: true, enabled: false,
     config: {timeout: 5}}
agents:
  - slug: all
    name: 全部 👩‍💻
    description: d
    system_prompt: p
    default_model: [fast, openai/x]
    title_model: openrouter/a/b
    title_strategy: none
    enable_thinking: true
    enable_tools: false
    max_step_count: 3
    is_default: true
    is_callable: true
    sort_order: -1
    enabled: false
    options: {temperature: 0.5}
    tools: [{slug: calc, needs_approval: false, sort_order: 7, config: {timeout: 9}}]
""")
    declared = read_declared([], folder)
    source = str(path)
    assert declared.default_model == "fast"
    assert declared.providers == (
        Provider(
            "work",
            "openai",
            "http://127.0.0.1:8080/v1",
            api_key_cmd=("pass", "show", "work"),
            headers={"x-team": "search", "Authorization": {"env": "WORK"}, "x-api-key": {"key": "work"}},
            options={"max_tokens_field": "max_tokens"},
            source=source,
        ),
    )
    assert declared.models == (
        Model("fast", "work", "fast-2", 1000, 10, 1.0, 0.5, {"temperature": 0}, source=source),
    )
    assert declared.tools == (
        Tool("calc", "Rechner", "calculator", "d", {"timeout": 5}, True, False, source),
    )
    assert declared.agents == (
        Agent(
            slug="all",
            name="全部 👩‍💻",
            description="d",
            system_prompt="p",
            default_model=("fast", "openai/x"),
            title_model="openrouter/a/b",
            title_strategy="none",
            enable_thinking=True,
            enable_tools=False,
            max_step_count=3,
            is_default=True,
            is_callable=True,
            sort_order=-1,
            enabled=False,
            options={"temperature": 0.5},
            tools=(AgentTool("calc", False, 7, {"timeout": 9}),),
            source=source,
        ),
    )


def test_what_is_left_out_or_null_takes_the_default(folder: Path, write: Write) -> None:
    path = write("agents:\n  - {slug: a}\n  - {slug: b, description: ~, default_model: null}\nmodels:\n")
    source = str(path)
    assert read_declared([], folder).agents == (
        Agent("a", "a", source=source),
        Agent("b", "b", source=source),
    )


def test_tools_of_an_agent_come_in_their_order(folder: Path, write: Write) -> None:
    write("""
tools: [{slug: a, type: uuid}, {slug: b, type: uuid}, {slug: c, type: uuid}]
agents: [{slug: x, tools: [a, b, {slug: c, sort_order: -1}]}]
""")
    (agent,) = read_declared([], folder).agents
    assert agent.tools == (AgentTool("c", sort_order=-1), AgentTool("a"), AgentTool("b", sort_order=1))


def test_sections_may_stand_in_any_file_and_refer_to_each_other(folder: Path, write: Write) -> None:
    write("agents: [{slug: x, tools: [t], default_model: p/m}]", "a.yaml")
    write("tools: [{slug: t, type: uuid}]", "b.yaml")
    write("providers: [{slug: p, kind: openai}]", "c.yaml")
    declared = read_declared(["."], folder)
    assert [tool.source for tool in declared.tools] == [str(folder / "b.yaml")]
    assert declared.agents[0].default_model == ("p/m",)


def test_all_errors_of_all_files_come_at_once_in_order(folder: Path, write: Write) -> None:
    write("agents:\n  - slug: A\n    enabeld: true\n    max_step_count: 0\n  - name: x\n    tools: [nix]\n")
    write("tools:\n  - {slug: t, type: calculater}\n  - {slug: t, type: uuid}\n", "tools.yaml")
    with pytest.raises(ConfigError) as caught:
        read_declared([], folder)
    assert caught.value.message == "7 problems in agents.yaml and tools.yaml"
    assert [line.split(" ")[0] for line in caught.value.problems] == [
        "agents.yaml:2:11:",
        "agents.yaml:3:5:",
        "agents.yaml:4:21:",
        "agents.yaml:5:5:",
        "agents.yaml:6:13:",
        "tools.yaml:2:21:",
        "tools.yaml:3:12:",
    ]
    assert '(did you mean "enabled"?)' in caught.value.problems[1]
    assert '(did you mean "calculator"?)' in caught.value.problems[5]
    assert '"t" is declared twice (first in tools.yaml:2:12)' in caught.value.problems[6]


def test_a_single_error_is_the_message_itself(faults: Faults, folder: Path) -> None:
    assert faults("agents: [{slug: a, nme: x}]") == [
        'agents.yaml:1:20: unknown key `nme` (did you mean "name"?)'
    ]
    with pytest.raises(ConfigError, match=r"^agents\.yaml:1:20: unknown key"):
        read_declared([], folder)


def test_broken_yaml_and_broken_fields_are_reported_together(faults: Faults) -> None:
    found = faults("agents:\n  - slug: a\n    slug: b\n    name: !x y\n    max_step_count: six\n")
    assert [line.split(" ")[0] for line in found] == [
        "agents.yaml:3:5:",
        "agents.yaml:4:11:",
        "agents.yaml:5:21:",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("enabled: yes", "8:14: enabled: `yes` is text here; write true"),
        ("enabled: 'off'", "8:14: enabled: `off` is text here; write false"),
        ("enabled: 1", "8:14: enabled: expected true or false, got the number 1"),
        (
            "name: no",
            '8:11: plain `no` is false to YAML 1.1 and text to YAML 1.2: write false, or quote it: "no"',
        ),
        ("name: 12:34:56", '8:11: plain `12:34:56` is a number in base 60 to YAML 1.1: quote it: "12:34:56"'),
        ("description: 2026-11-30", '8:18: plain `2026-11-30` is a date to YAML 1.1: quote it: "2026-11-30"'),
        ("name: 010", "8:11: name: expected text, got the number 10: quote it"),
        ("name: 1e3", "8:11: name: expected text, got the number 1000.0: quote it"),
        ("name: true", "8:11: name: expected text, got true: quote it"),
        ("name: ~", "8:11: name: expected text, got nothing (null)"),
        ("name: ''", "8:11: name: must not be empty"),
        ('name: "a\\nb"', "8:11: name: a name is one line without control characters"),
        ("system_prompt:", "8:19: system_prompt: expected text, got nothing (null)"),
        (
            "options: {stop: on}",
            '8:21: plain `on` is true to YAML 1.1 and text to YAML 1.2: write true, or quote it: "on"',
        ),
        ("options: {a: {b: .nan}}", "8:14: options: a number in it is infinite or none at all"),
        ("options: [1]", "8:14: options: expected a mapping (`key: value`), got a list"),
        ("approvals: [{deny: a}]", '8:24: approvals: unknown tool "a"'),
        ("limits: [1]", "8:13: limits: expected a mapping (`key: value`), got a list"),
        ("limits: {max_cost: 1}", '8:14: unknown key `max_cost` (did you mean "max_cost_usd"?)'),
        ("limits: {max_tool_calls: -1}", "8:30: max_tool_calls: must be at least 0, got -1"),
        ("limits: {max_output_tokens: 0}", "8:33: max_output_tokens: must be at least 1, got 0"),
        ("limits: {max_cost_usd: 0}", "8:28: max_cost_usd: expected an amount above 0, got the number 0"),
        ("limits: {max_cost_usd: '1'}", '8:28: max_cost_usd: expected a number (USD), got "1"'),
        ("limits: {max_cost_usd_per_day: .inf}", "8:36: max_cost_usd_per_day: expected an amount above 0"),
        ("limits: {timeout: 5x}", "8:23: timeout: expected seconds, or a time like 90s or 5m, got "),
        (
            "limits: {timeout: 0}",
            "8:23: timeout: expected seconds, or a time like 90s or 5m, got the n",
        ),
        ("limits: {timeout: true}", "8:23: timeout: expected seconds, or a time like 90s or 5m, got true"),
        ("max_step_count: 0", "8:21: max_step_count: must be at least 1, got 0"),
        ("max_step_count: true", "8:21: max_step_count: expected a whole number, got true"),
        ("max_step_count: 99999999999", "8:21: max_step_count: must be at most 2,147,483,647"),
        ("sort_order: 1.5", "8:17: sort_order: expected a whole number, got the number 1.5"),
        ("title_strategy: firstline", "8:21: title_strategy: expected one of llm, first-line, none, got"),
        ("model: openai/x", '8:5: unknown key `model` (did you mean "default_model"?)'),
        ("systemPrompt: x", '8:5: unknown key `systemPrompt` (did you mean "system_prompt"?)'),
        ("api_key: x", "8:5: `api_key` is not allowed: secrets never stand in YAML"),
        ("tools: calc", '8:12: tools: expected a list (`- ...`), got "calc"'),
        ("tools: [calc, calc]", '8:19: tools: "calc" stands here twice'),
        ("tools: [clac]", '8:13: unknown tool "clac" (did you mean "calc"?)'),
        ("tools: [{slug: clac}]", '8:20: unknown tool "clac" (did you mean "calc"?)'),
        ("tools: [{sort_order: 1}]", "8:13: `slug` is missing"),
        ("tools: [{slug: calc, config: {timeout: x}}]", "8:44: config: timeout: must be a number"),
        (
            "tools: [{slug: calc, config: {tmeout: 1}}]",
            '8:35: config: tmeout: unknown (did you mean "timeout"?)',
        ),
        ("tools: [7]", "8:13: tools: expected a slug or a mapping with `slug`, got the number 7"),
        ("default_model: fats", '8:20: default_model: unknown model "fats" (did you mean "fast"?)'),
        (
            "default_model: opnai/x",
            '8:20: default_model: unknown provider "opnai" in "opnai/x" (did you mean "openai"?)',
        ),
        ("default_model: openai/", '8:20: default_model: "openai/" names no model after the /'),
        ("default_model: [fast, nix]", '8:27: default_model: unknown model "nix"'),
        ("default_model: []", "8:20: default_model: must not be an empty list"),
        ("title_model: nix", '8:18: title_model: unknown model "nix"'),
    ],
)
def test_a_wrong_field_of_an_agent_is_named_with_its_place(faults: Faults, line: str, message: str) -> None:
    text = f"""tools:
  - slug: calc
    type: calculator
models:
  - {{slug: fast, provider: openai}}
agents:
  - slug: x
    {line}
"""
    (found,) = faults(text)
    assert found.startswith(f"agents.yaml:{message}")


@pytest.mark.parametrize("slug", ["Über", "a b", "a.b", "x" * 51, "''", "12"])
def test_a_slug_keeps_to_its_rules(faults: Faults, slug: str) -> None:
    (found,) = faults(f"agents: [{{slug: {slug}}}]")
    assert found.startswith("agents.yaml:1:17: slug: ")


def test_a_name_has_at_most_a_hundred_characters(faults: Faults, folder: Path, write: Write) -> None:
    write(f"agents: [{{slug: a, name: {'界' * 100}}}]")
    assert read_declared([], folder).agents[0].name == "界" * 100
    assert (
        "at most 100 characters, this one has 101" in faults(f"agents: [{{slug: a, name: {'界' * 101}}}]")[0]
    )


def test_two_default_agents_are_refused_across_files(folder: Path, write: Write) -> None:
    write("agents: [{slug: a, is_default: true}]", "a.yaml")
    write("agents: [{slug: b, is_default: true}]", "b.yaml")
    with pytest.raises(ConfigError) as caught:
        read_declared(["a.yaml", "b.yaml"], folder)
    assert caught.value.problems == (
        "b.yaml:1:32: only one agent can be the default (another one is in a.yaml:1:32)",
    )


def test_two_different_default_models_are_refused(folder: Path, write: Write) -> None:
    write("default_model: openai/x", "a.yaml")
    write("default_model: openai/y", "b.yaml")
    with pytest.raises(ConfigError, match=r"^b\.yaml:1:16: default_model is given in a\.yaml already"):
        read_declared(["a.yaml", "b.yaml"], folder)


def test_the_same_slug_in_two_sections_is_no_duplicate(folder: Path, write: Write) -> None:
    write("tools: [{slug: x, type: uuid}]\nagents: [{slug: x}]\n")
    assert read_declared([], folder).agents[0].slug == "x"


def test_what_is_in_the_database_may_be_referred_to(folder: Path, write: Write) -> None:
    known = State(
        tools={"calc": Tool("calc", "C", "calculator")},
        models={"mine": Model("mine", "openai", "m")},
        providers={"work": Provider("work", "openai")},
    )
    write("""
agents: [{slug: x, tools: [calc], default_model: [mine, work/x]}]
models: [{slug: n, provider: work}]
""")
    assert read_declared([], folder, known).agents[0].default_model == ("mine", "work/x")
    with pytest.raises(ConfigError, match="4 problems"):
        read_declared([], folder)


def test_the_config_of_a_tool_in_the_database_is_checked_with_the_agent_s_own(faults: Faults) -> None:
    known = State(tools={"calc": Tool("calc", "C", "calculator", config={"timeout": 5})})
    (found,) = faults("agents: [{slug: x, tools: [{slug: calc, config: {timeout: -1}}]}]", known)
    assert found.startswith("agents.yaml:1:59: config: timeout: must be at least")


def test_the_config_of_a_tool_is_checked_by_its_type(faults: Faults) -> None:
    found = faults("tools:\n  - slug: a\n    type: calculator\n    config: {timeout: fast, max_ouput: 3}\n")
    assert found[0].startswith("agents.yaml:4:23: config: timeout: must be a number")
    assert found[1].startswith('agents.yaml:4:29: config: max_ouput: unknown (did you mean "max_output"?)')


def test_a_wrong_entry_does_not_make_references_to_it_wrong(faults: Faults) -> None:
    found = faults("tools: [{slug: t, type: nix}]\nagents: [{slug: x, tools: [t]}]\n")
    assert len(found) == 1


def test_sections_and_entries_of_the_wrong_shape_are_named(faults: Faults) -> None:
    assert faults("[a]") == ["agents.yaml:1:1: expected a mapping with agents: or tools:, got a list"]
    assert faults("agents: {x: {}}") == ["agents.yaml:1:9: agents: expected a list (`- ...`), got a mapping"]
    assert faults("agents: [x]") == ['agents.yaml:1:10: agents: expected a mapping with `slug`, got "x"']
    assert faults("agnets: []") == ['agents.yaml:1:1: unknown key `agnets` (did you mean "agents"?)']
    assert faults("version: 2") == [
        "agents.yaml:1:10: version: this agentctl reads version 1, got the number 2"
    ]


def test_an_entry_behind_an_alias_is_declared_twice(faults: Faults) -> None:
    (found,) = faults("agents: [&a {slug: a}, *a]")
    assert '"a" is declared twice' in found


def test_errors_without_end_stop_at_two_hundred(faults: Faults) -> None:
    text = "agents:\n" + "".join(f"  - {{slug: a{i}, tools: [nix{i}]}}\n" for i in range(5000))
    assert len(faults(text)) == 200


def test_an_empty_file_declares_nothing(folder: Path, write: Write) -> None:
    write("# nothing yet\n")
    assert read_declared([], folder).agents == ()
