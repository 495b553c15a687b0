"""`agentctl usage`, as somebody who pays for it reads it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.ids import now_ms
from agentctl.domain.message import Usage
from agentctl.domain.usage import Payer
from agentctl.store import Store
from agentctl.store.usage import DAY_MS
from tests.conftest import Outcome
from tests.terminal import Terminal

Run = Callable[..., Outcome]


@pytest.fixture
def spent(store: Store) -> Store:
    """Two models and a title of today, one request of ten days ago, and one of somebody else."""
    me, you = store.users.ensure("tester").id, store.users.ensure("you").id
    old = Payer(me, "old", "as_old", "ar_old")
    store.usage.record(old, "p/dear", "chat", Usage(10, 10), 5.0)
    store.database.execute("UPDATE usage SET created_at = ?", (now_ms() - 10 * DAY_MS,))
    coder = Payer(me, "coder", "as_1", "ar_1")
    store.usage.record(coder, "p/cheap", "chat", Usage(100, 20, 40, 5), 0.000012)
    store.usage.record(coder, "p/cheap", "chat", Usage(100, 20), None)
    store.usage.record(coder, "p/odd", "chat", Usage(7, 3), None)
    store.usage.record(coder, "p/cheap", "title", Usage(9, 4), 0.000003)
    store.usage.record(Payer(you, "coder"), "p/dear", "chat", Usage(1, 1), 99.0)
    return store


@pytest.mark.usefixtures("spent")
def test_models_are_added_up_by_default_and_unknown_is_null(run: Run) -> None:
    dear, cheap, odd = run("usage -o json").json()
    assert (dear["model"], dear["requests"], dear["cost_usd"], dear["unpriced"]) == ("p/dear", 1, 5.0, 0)
    assert (odd["model"], odd["cost_usd"], odd["unpriced"]) == ("p/odd", None, 1)
    assert cheap["model"] == "p/cheap"
    numbers = ("requests", "input", "output", "cached", "reasoning", "cost_usd", "unpriced")
    assert [cheap[name] for name in numbers] == [2, 200, 40, 40, 5, 0.000012, 1]
    assert (cheap["title_requests"], cheap["title_input"], cheap["title_cost_usd"]) == (1, 9, 0.000003)


@pytest.mark.parametrize("since", ["7d", "9.9d", "200h"])
@pytest.mark.usefixtures("spent")
def test_since_leaves_out_what_is_older(run: Run, since: str) -> None:
    assert [row["agent"] for row in run(f"usage --by agent --since {since} -o json").json()] == ["coder"]


@pytest.mark.usefixtures("spent")
def test_since_may_be_a_day_of_utc(run: Run) -> None:
    assert len(run("usage --since 2020-01-01 -o json").json()) == 3
    assert run("usage --since 2999-01-01T00:00+02:00 -o json").json() == []


@pytest.mark.parametrize("since", ["yesterday", "7", "20261332", "-1d", "2026-13-01"])
def test_a_time_that_is_none_is_a_usage_error(run: Run, since: str) -> None:
    assert "is no time such as 7d" in run(f"usage --since={since}", code=2).stderr


@pytest.mark.usefixtures("spent")
def test_an_agent_and_any_grouping_can_be_asked_for(run: Run) -> None:
    assert [row["session"] for row in run("usage --by session --agent old -o json").json()] == ["as_old"]
    (row,) = run("usage --by user --agent coder -o json").json()
    assert (row["user"], row["requests"], row["cost_usd"]) == ("tester", 3, 0.000012)
    days = [row["day"] for row in run("usage --by day -o json").json()]
    assert days == sorted(days, reverse=True)
    assert len(days) == 2


@pytest.mark.usefixtures("spent")
def test_lines_and_csv_hold_numbers_and_nothing_for_the_unknown(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("usage -o csv").stdout)))
    assert [row["cost_usd"] for row in rows] == ["5.0", "1.2e-05", ""]
    assert run("usage -o ids").stdout == "p/dear\np/cheap\np/odd\n"
    assert "total" not in run("usage").stdout


@pytest.mark.usefixtures("spent")
def test_a_table_has_plain_amounts_and_a_dash(run: Run) -> None:
    lines = run("usage -o table").stdout.splitlines()
    assert "0.000012" in lines[2]
    assert lines[3].split() == ["p/odd", "1", "7", "3", "0", "0", "-", "1"]
    assert len(lines) == 4


@pytest.mark.usefixtures("spent")
def test_only_a_terminal_gets_a_total(environ: dict[str, str], tmp_path: Path) -> None:
    person = Terminal("usage --since 7d", cwd=tmp_path, environ=environ)
    seen = person.wait_for("total: 3 requests")
    assert "207 tokens in, 43 out, 0.000012 USD, 2 requests of unknown cost" in seen
    assert "titles 0.000003 USD apart" in seen
    assert person.end() == 0


def test_a_group_of_which_nothing_can_be_shown_has_no_line(run: Run, store: Store) -> None:
    store.usage.record(Payer(store.users.ensure("tester").id), "p/m", "test", Usage(9, 4), 0.5)
    assert run("usage --by agent").stdout == ""
    assert run("usage --by agent -o ids").stdout == ""
    assert run("usage --by agent -o jsonl").json()["test_requests"] == 1


def test_nothing_used_is_an_empty_list(run: Run) -> None:
    assert run("usage -o json").json() == []


def test_usage_is_the_sum_of_the_results_of_the_runs(
    run: Run, tmp_path: Path, script: Callable[..., str]
) -> None:
    call = {"name": "calculator", "arguments": {"expression": "1/3"}}
    replies = [
        {"text": "x", "tool_calls": [call], "usage": {"input": 107, "output": 13, "cached": 31}},
        {"text": "y", "usage": {"input": 211, "output": 17, "reasoning": 5}, "repeat": True},
    ]
    file = script(*replies).removeprefix("script/")
    models = "".join(
        f"  - {{slug: {slug}, provider: script, name: '{file}', input_price: {price}, output_price: 7.7}}\n"
        for slug, price in (("one", 0.3), ("two", 1.1))
    )
    (tmp_path / "agents.yaml").write_text(
        f"models:\n{models}agents:\n  - {{slug: default, is_default: true, tools: [calculator]}}\n"
        "tools:\n  - {slug: calculator, type: calculator}\n"
    )
    run("apply --yes")
    results = [run(f"chat 'a b' -m {model} -o json").json() for model in ("one", "two", "one")]
    results.append(run("chat -c more -o json").json())
    rows = run("usage --by model -o json").json()
    for name in ("input", "output", "cached", "reasoning"):
        assert sum(row[name] for row in rows) == sum(result["usage"][name] for result in results)
    assert sum(row["cost_usd"] for row in rows) == pytest.approx(
        sum(result["cost_usd"] for result in results), abs=1e-12
    )
    assert all(row["unpriced"] == 0 for row in rows)
    stored = [one for session in run("sessions list -o json").json() for one in runs_of(run, session["id"])]
    assert sorted(one["cost_usd"] for one in stored) == sorted(result["cost_usd"] for result in results)


def runs_of(run: Run, session: str) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = run(f"sessions show {session} -o json").json()["runs"]
    return runs
