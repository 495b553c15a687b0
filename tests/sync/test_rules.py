"""`approvals` in YAML: what is read, what is refused and where, what survives apply and export."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.domain.rule import Rule
from agentctl.store import Store
from agentctl.sync.control import ControlPlane
from agentctl.sync.schema import read_declared
from tests.sync.conftest import Faults, Write

TOOLS = "tools: [{slug: calc, type: calculator}, {slug: clock, type: datetime}]\n"
HEAD = f"{TOOLS}agents:\n  - slug: a\n    tools: [calc, clock]\n    approvals:\n"
FULL = f"""{HEAD}
      - deny: clock:add
        where: {{duration: [1 day, {{re: ".*years"}}]}}
        reason: too long
        match: [{{action: add, duration: 5 years}}]
        not_match: [{{action: now}}, {{action: add, duration: 1 hour}}]
      - {{ask: calc, expires: 2h}}
      - {{allow: calc, where: {{expression: "1+*"}}, expires: 7d}}
"""


def apply(control: ControlPlane) -> list[str]:
    """Apply the files of the folder; what was changed."""
    plan = control.apply(control.read([]), prune=False, confirmed=None)
    return [change.slug for change in plan.changes]


def test_rules_reach_the_agent(folder: Path, write: Write) -> None:
    write(FULL)
    rules = read_declared([], folder).agents[0].approvals
    assert rules == (
        Rule(
            "deny",
            "clock",
            "add",
            where={"duration": ["1 day", {"re": ".*years"}]},
            reason="too long",
            match=({"action": "add", "duration": "5 years"},),
            not_match=({"action": "now"}, {"action": "add", "duration": "1 hour"}),
        ),
        Rule("ask", "calc", expires=7_200.0),
        Rule("allow", "calc", where={"expression": "1+*"}, expires=604_800.0),
    )
    assert rules[0].place == "rule 1 of agent a in agents.yaml"
    assert [rule.until is None for rule in rules] == [True, True, False]


def test_rules_reach_the_tool(folder: Path, write: Write) -> None:
    write("tools: [{slug: calc, type: calculator, approvals: [{deny: calc}]}]")
    rule = read_declared([], folder).tools[0].approvals[0]
    assert rule.hides
    assert str(rule) == "deny calc (rule 1 of tool calc in agents.yaml)"


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("deny", "13:9: approvals: expected a mapping with allow, ask or deny"),
        ("{where: {}}", "13:9: approvals: a rule has one of allow, ask and deny"),
        ("{deny: calc, allow: calc}", "13:9: approvals: a rule has one of allow, ask and deny"),
        ("{deny: Calc}", "13:16: deny: expected a tool, or tool:action"),
        ("{deny: clac}", '13:16: approvals: unknown tool "clac" (did you mean "calc"?)'),
        ("{deny: calc:add}", "13:16: approvals: calc: the type calculator has no actions"),
        ("{deny: clock:ad}", '13:16: approvals: clock: there is no action "ad" (did you mean "add"?)'),
        ("{deny: calc, whre: {}}", '13:22: unknown key `whre` (did you mean "where"?)'),
        ("{deny: calc, expires: 1h}", "13:22: approvals: a deny rule does not end"),
        ("{ask: calc, expires: soon}", "13:30: expires: expected seconds"),
        (
            "{deny: calc, where: {expresion: x}}",
            '13:41: approvals: calc: there is no argument "expresion" (did you mean "expression"?)',
        ),
        (
            "{deny: calc, where: {expression: {rex: x}}}",
            "13:42: approvals: expression: rex is no condition",
        ),
        ("{deny: calc, match: [x]}", "13:30: match: expected the arguments of a call"),
        (
            '{deny: calc, where: {expression: "1*"}, match: [{expression: "1"}, {expression: "2"}]}',
            "13:76: approvals: match: the rule does not apply to this example",
        ),
        (
            '{ask: calc, where: {expression: "1*"}, not_match: [{expression: "1"}]}',
            "13:60: approvals: not_match: the rule applies to this example",
        ),
        (
            '{ask: calc, not_match: [{expr: "1"}]}',
            '13:33: approvals: not_match: calc has no argument "expr"',
        ),
    ],
)
def test_a_bad_rule_is_refused_at_its_place(faults: Faults, rule: str, fault: str) -> None:
    spaces = HEAD + "\n" * (13 - HEAD.count("\n") - 1)
    found = faults(f"{spaces}      - {rule}\n")
    assert found[0].startswith(f"agents.yaml:{fault}")


def test_a_rule_of_a_tool_is_about_that_tool(faults: Faults) -> None:
    text = (
        "tools: [{slug: calc, type: calculator, approvals: [{deny: clock}]}, {slug: clock, type: datetime}]"
    )
    assert faults(text) == [
        'agents.yaml:1:59: approvals: what stands at tool "calc" is about its own calls, not those of clock'
    ]


def test_an_example_counts_with_the_defaults_of_its_tool(folder: Path, write: Write) -> None:
    write(f"{HEAD}      - {{deny: 'clock:now', match: [{{}}]}}\n")
    assert read_declared([], folder).agents[0].approvals


def test_rules_survive_apply_and_export(folder: Path, write: Write, store: Store) -> None:
    write(FULL)
    control = ControlPlane(store, folder)
    apply(control)
    held = store.agents.require("a").approvals
    assert held == read_declared([], folder).agents[0].approvals
    assert apply(control) == []
    text = control.export()
    assert 'expires: "2h"' in text
    assert "place" not in text
    write(text)
    assert apply(control) == []


def test_applying_a_rule_again_gives_it_no_more_time(folder: Path, write: Write, store: Store) -> None:
    control = ControlPlane(store, folder)
    write(FULL)
    apply(control)
    ends = store.agents.require("a").approvals[2].until
    write(FULL.replace("slug: a\n", "slug: a\n    description: other\n"))
    assert apply(control) == ["a"]
    held = store.agents.require("a")
    assert (held.description, held.approvals[2].until) == ("other", ends)
