"""Rules from the user's view: `policy explain`, and flags of `chat` and `tools run`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome

Run = Callable[..., Outcome]
Script = Callable[..., str]
YAML = """\
tools:
  - {slug: calc, type: calculator, needs_approval: true}
  - slug: clock
    type: datetime
    approvals:
      - ask: clock:add
        reason: costs time
agents:
  - slug: a
    is_default: true
    title_strategy: none
    tools: [calc, clock]
    approvals:
      - allow: calc
        where: {expression: "1+*"}
      - deny: calc
        where: {expression: "9**"}
        reason: no nines
"""
CALL = {"tool_calls": [{"name": "calc", "arguments": {"expression": "2+2"}}]}
DONE = {"text": "Done."}


@pytest.fixture
def applied(run: Run, tmp_path: Path) -> Run:
    """Commands with an agent `a` that has rules."""
    (tmp_path / "agents.yaml").write_text(YAML)
    run("apply --yes")
    return run


@pytest.mark.parametrize(
    ("call", "decision", "part", "place"),
    [
        ("calc --arg expression=1+1", "allow", "allow rules", "agents.yaml:14:9"),
        ("calc --arg expression=9*9", "deny", "deny rules", "agents.yaml:16:9"),
        ("calc --arg expression=2", "ask", "needs_approval", None),
        ("clock --arg action=add", "ask", "ask rules", "agents.yaml:6:9"),
        ("clock", "allow", "needs_approval", None),
    ],
)
def test_it_says_what_decides_and_where_it_stands(
    applied: Run, call: str, decision: str, part: str, place: str | None
) -> None:
    found = applied(f"policy explain a {call} -o json").json()
    assert (found["decision"], found["part"], found["place"]) == (decision, part, place)


def test_it_says_what_the_rest_of_the_order_says(applied: Run) -> None:
    rows = applied("policy explain a calc --arg expression=1+1 -o json").json()["parts"]
    assert [(row["part"], row["says"]) for row in rows if row["says"]] == [
        ("allow rules", "allow"),
        ("needs_approval", "ask"),
    ]
    assert rows[-1]["reason"] == "as the tool says"
    text = applied("policy explain a calc --arg expression=1+1").stdout
    assert text.startswith("allow: calc by a, by allow calc expression=1+* (agents.yaml:14:9)\n")
    assert "\n-> allow rules " in text


def test_a_file_that_says_something_else_by_now_has_no_line(applied: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text(YAML.replace("9**", "8**"))
    found = applied("policy explain a calc --arg expression=9 -o json").json()
    assert found["place"] == "rule 2 of agent a in agents.yaml"


def test_arguments_that_do_not_hold_are_noted(applied: Run) -> None:
    outcome = applied("policy explain a calc")
    assert "refused before that: expression: is required" in outcome.stderr


def test_a_tool_that_is_hidden_is_said_to_be(applied: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text(YAML + "      - deny: clock\n")
    applied("apply --yes")
    assert "the model does not see the tool" in applied("policy explain a clock").stdout


def test_a_failing_example_stops_validate_at_its_place(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text(YAML + "        match: [{expression: '8'}]\n")
    for line in ("validate", "plan", "apply --yes"):
        stderr = run(line, code=5).stderr
        assert "agents.yaml:19:17: approvals: match: the rule does not apply to this example" in stderr


def test_rules_hold_when_a_tool_is_run_by_hand(applied: Run) -> None:
    line = "tools run calc --agent a --arg"
    assert applied(f"{line} expression=1+1").stdout
    assert "no nines" in applied(f"{line} expression=9 --yes", code=3).stderr
    assert "could be asked" in applied(f"{line} expression=2 --on-approval pause", code=3).stderr
    assert applied(f"{line} expression=2 --allow calc").stdout
    assert "(--deny)" in applied(f"{line} expression=1+1 --deny calc", code=3).stderr


@pytest.mark.parametrize("command", ["chat a hi -m script/x", "tools run calc --arg expression=1"])
@pytest.mark.parametrize("rule", ["clac", "calc:add", "'calc expresion=1'", "'calc x'", "''"])
def test_a_bad_rule_is_a_usage_error(applied: Run, script: Script, command: str, rule: str) -> None:
    command = command.replace("script/x", script(DONE))
    assert "--deny" in applied(f"{command} --deny {rule}", code=2).stderr


def test_flags_allow_and_deny_calls_of_a_chat(applied: Run, script: Script) -> None:
    model = script(CALL, DONE)
    result = applied(f"chat a hi -m {model} --allow 'calc expression=2+*' -o json").json()
    assert result["tool_calls"][0]["success"]
    result = applied(f"chat a hi -m {model} --yes --deny 'calc expression=2**' -o json", code=3).json()
    assert "denied by deny calc expression=2** (--deny)" in result["permission_denials"][0]["reason"]


def test_a_tool_that_is_denied_altogether_is_not_offered(applied: Run, script: Script) -> None:
    events = applied(f"chat a hi -m {script(DONE)} --deny calc -o stream-json").stdout
    assert '"tools":["clock"]' in events.replace(" ", "")


@pytest.mark.parametrize(("choice", "code"), [("ask", 4), ("pause", 4), ("deny", 3), ("fail", 3)])
def test_what_becomes_of_a_call_that_needs_a_person(
    applied: Run, script: Script, choice: str, code: int
) -> None:
    applied(f"chat a hi -m {script(CALL, DONE)} --on-approval {choice}", code=code)
