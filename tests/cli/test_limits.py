"""Runs that cost something: what they add up to, and where they end."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.usage import sum_usd
from agentctl.store import Store
from tests.conftest import Outcome

Run = Callable[..., Outcome]
Declare = Callable[..., None]

CALL = {"tool_calls": [{"name": "uuid", "arguments": {}}] * 2, "usage": {"input": 100, "output": 20}}
DONE = {"text": "Here they are.", "usage": {"input": 150, "output": 10, "cached": 50}}


@pytest.fixture
def declare(run: Run, tmp_path: Path) -> Declare:
    """Apply an agent with limits and a scripted model with prices."""

    def call(*replies: dict[str, Any], limits: str = "{}", model: str = "", title: str = "none") -> None:
        (tmp_path / "replies.yaml").write_text(json.dumps({"replies": replies}))
        prices = model or "input_price: 1, output_price: 10, cached_input_price: 0.5, max_output_tokens: 1000"
        (tmp_path / "agents.yaml").write_text(
            f"models: [{{slug: priced, provider: script, name: replies.yaml, {prices}}}]\n"
            "tools: [{slug: uuid, type: uuid}]\n"
            f"agents: [{{slug: coder, default_model: priced, title_strategy: {title}, tools: [uuid],"
            f" limits: {limits}}}]\n"
        )
        run("apply --yes")

    return call


def test_usage_adds_up_to_the_runs_and_a_run_to_its_messages(run: Run, declare: Declare) -> None:
    declare(CALL, DONE, title="llm")
    results = [run(f"chat coder 'a b {number}' -o json").json() for number in range(3)]
    assert [result["cost_usd"] for result in results] == [0.000525] * 3
    (row,) = run("usage -o json").json()
    for name in ("input", "output", "cached", "reasoning"):
        assert row[name] == sum(result["usage"][name] for result in results)
    assert row["cost_usd"] == sum_usd(result["cost_usd"] for result in results)
    assert (row["requests"], row["unpriced"]) == (6, 0)
    messages = run("sessions messages @last -o json").json()
    assert math.isclose(sum(message["cost_usd"] or 0 for message in messages), 0.000525)
    assert run("sessions show @last -o json").json()["runs"][0]["cost_usd"] == 0.000525


def test_titles_are_counted_apart(run: Run, declare: Declare) -> None:
    declare(DONE, title="llm")
    run("chat coder 'a b'")
    (row,) = run("usage -o json").json()
    assert (row["requests"], row["title_requests"]) == (1, 1)


def test_a_run_ends_before_a_request_that_could_pass_its_cost(run: Run, declare: Declare) -> None:
    declare(CALL, DONE, limits="{max_cost_usd: 0.0004}")
    outcome = run("chat coder 'a b' -o json", code=8)
    result = outcome.json()
    assert (result["outcome"], result["error"]["kind"], result["num_turns"]) == ("limit", "limit", 1)
    assert result["cost_usd"] == 0.0003
    assert [warning["kind"] for warning in result["warnings"]] == ["limit"]
    assert "--max-cost" in result["error"]["hint"]
    assert len(result["tool_calls"]) == 2


def test_a_flag_lowers_what_the_yaml_allows_and_never_raises_it(run: Run, declare: Declare) -> None:
    declare(CALL, DONE, limits="{max_cost_usd: 0.0004}")
    run("chat coder 'a b' --max-cost 5", code=8)
    declare(CALL, DONE, limits="{max_cost_usd: 5}")
    run("chat coder 'a b' --max-cost 0.0004", code=8)
    run("chat coder 'a b'", code=0)


@pytest.mark.parametrize("flag", ["--max-cost", "--max-cost-per-day"])
@pytest.mark.parametrize("amount", ["nan", "inf", "1e400", "0", "-1", "much"])
def test_a_limit_of_cost_is_a_number_that_can_be_reached(run: Run, flag: str, amount: str) -> None:
    error = run(f"chat hello there {flag} {amount}", code=2).stderr
    assert f"{amount} is no amount above 0 such as 0.25" in error


def test_a_day_is_of_all_runs_of_the_agent(run: Run, declare: Declare, store: Store) -> None:
    declare(DONE, limits="{max_cost_usd_per_day: 0.0007}")
    run("chat coder 'a b'")
    run("chat coder 'a b'")
    error = run("chat coder 'a b'", code=8).stderr
    assert error.count("agent coder reached its limit of 0.0007 USD a day (UTC)") == 1
    assert store.usage.spent_today("coder") <= 0.0007


def test_calls_beyond_the_limit_are_recorded_and_not_run(run: Run, declare: Declare) -> None:
    declare(CALL, DONE, limits="{max_tool_calls: 1}")
    outcome = run("chat coder 'a b' -o stream-json", code=8)
    events = [json.loads(line) for line in outcome.stdout.splitlines()]
    results = [event["success"] for event in events if event["type"] == "tool.result"]
    assert sorted(results) == [False, True]
    assert "1 tool calls" in events[-1]["error"]["message"]
    parts = run("sessions messages @last -o json").json()[-1]["parts"]
    assert [part["type"] for part in parts] == ["tool_output", "tool_output"]


def test_output_tokens_are_used_up(run: Run, declare: Declare) -> None:
    declare(CALL, DONE, limits="{max_output_tokens: 20}")
    assert "20 output tokens" in run("chat coder 'a b' -o json", code=8).json()["error"]["message"]


def test_a_limited_cost_of_an_unknown_price_is_refused(run: Run, declare: Declare) -> None:
    declare(DONE, limits="{max_cost_usd: 1}")
    keys = {"OPENAI_API_KEY": "sk-" + "x" * 40}
    outcome = run("chat coder 'a b' -m openai/nobody-knows-this -o json", code=5, env=keys)
    assert "the price of openai/nobody-knows-this is unknown" in outcome.stderr
    assert "input_price and output_price" in outcome.stderr
    assert outcome.json()["cost_usd"] is None
    assert run("sessions list -o json").json() == []


def test_a_limited_cost_needs_something_that_bounds_an_answer(run: Run, declare: Declare) -> None:
    unbounded = "input_price: 1, output_price: 10"
    declare(DONE, limits="{max_cost_usd: 1}", model=unbounded)
    assert "nothing bounds an answer of priced" in run("chat coder 'a b'", code=5).stderr
    assert run("sessions list -o json").json() == []
    declare(DONE, limits="{max_cost_usd: 1, max_output_tokens: 500}", model=unbounded)
    run("chat coder 'a b'")


def test_a_free_model_needs_nothing(run: Run, declare: Declare, script: Callable[..., str]) -> None:
    declare(DONE, limits="{max_cost_usd: 0.000001}")
    assert run(f"chat coder 'a b' -m {script(DONE)} -o json").json()["cost_usd"] == 0.0


def test_an_answer_that_was_broken_off_has_an_unknown_cost(run: Run, declare: Declare) -> None:
    declare({"text": ["a ", "b ", "c"], "chunk_delay": 30, "usage": {"input": 9, "output": 9}})
    result = run("chat coder 'a b' --timeout 1 -o json", code=124).json()
    assert result["result"].startswith("a")
    assert result["cost_usd"] is None
    (row,) = run("usage -o json").json()
    assert (row["requests"], row["unpriced"], row["cost_usd"]) == (1, 1, None)
