"""Allowed is the very call that was asked about: where something changed since, the answer does not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agentctl.domain.agent import AgentTool
from agentctl.domain.rule import Rule
from agentctl.store import Store
from tests.conftest import Outcome

Run = Callable[..., Outcome]
Pause = Callable[..., list[str]]


def test_a_tool_with_other_settings_is_asked_about_again(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    store.tools.put(replace(store.tools.require("calculator"), config={"max_output": 1234}))
    again = run(f"approvals approve {approval} --resume -o json", code=4).json()
    (pending,) = again["pending_approvals"]
    assert pending["approval_id"] != approval
    assert run(f"approvals show {approval} -o json").json()["status"] == "cancelled"
    assert run(f"approvals approve {pending['approval_id']} --resume").stdout == "All done.\n"


def test_settings_of_the_agent_count_as_well(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    tools = (AgentTool("calculator", config={"max_output": 1234}),)
    store.agents.put(replace(store.agents.require("default"), tools=tools))
    run(f"approvals approve {approval} --resume", code=4)


def test_a_deny_rule_that_came_since_is_stronger(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    run(f"approvals approve {approval}")
    rule = Rule("deny", "calculator", where={"expression": "1+1"}, reason="not today")
    store.agents.put(replace(store.agents.require("default"), approvals=(rule,)))
    run_id = run(f"approvals show {approval} -o json").json()["run_id"]
    result = run(f"resume {run_id} -o json", code=3).json()
    assert not result["tool_calls"][0]["success"]
    assert "not today" in result["tool_calls"][0]["error"]


def test_a_tool_that_is_gone_ends_the_call_and_not_the_run(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    store.agents.put(replace(store.agents.require("default"), tools=()))
    finished = run(f"approvals approve {approval} --resume -o json").json()
    assert not finished["tool_calls"][0]["success"]
    assert finished["result"] == "All done."
    assert run("approvals list --status pending -o json").json() == []
    assert run("approvals list --status approved -o json").json() == []
