"""The limits of an agent, from YAML to the database and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.domain.limits import Limits
from agentctl.sync.schema import read_declared
from tests.conftest import Outcome
from tests.sync.conftest import Write

Run = Callable[..., Outcome]


def read(folder: Path, write: Write, limits: str) -> Limits:
    write(f"agents:\n  - slug: a\n    limits: {limits}\n")
    return read_declared([], folder).agents[0].limits


def test_all_limits_are_read(folder: Path, write: Write) -> None:
    text = (
        "{max_tool_calls: 0, max_output_tokens: 500, max_cost_usd: 1, max_cost_usd_per_day: 2.5, timeout: 9}"
    )
    assert read(folder, write, text) == Limits(0, 500, 1.0, 2.5, 9.0)


@pytest.mark.parametrize(
    ("written", "seconds"), [("90", 90), ("90s", 90), ("5m", 300), ("1.5h", 5400), ("'30'", 30), ("0.5", 0.5)]
)
def test_a_time_limit_is_seconds_or_has_a_unit(
    folder: Path, write: Write, written: str, seconds: float
) -> None:
    assert read(folder, write, f"{{timeout: {written}}}").timeout == seconds


@pytest.mark.parametrize("written", ["~", "{}", "{max_cost_usd: ~, timeout: ~}"])
def test_null_is_no_limit(folder: Path, write: Write, written: str) -> None:
    assert read(folder, write, written) == Limits()


def test_a_changed_limit_is_a_change_of_the_plan_and_shown(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "agents.yaml"
    file.write_text("agents:\n  - slug: a\n    limits: {max_cost_usd: 0.5}\n")
    run("apply --yes")
    assert run("agents show a -o json").json()["limits"] == {"max_cost_usd": 0.5}
    assert "no changes" in run("plan").stdout
    file.write_text("agents:\n  - slug: a\n    limits: {max_cost_usd: 0.25, timeout: 5m}\n")
    assert "limits" in run("plan --exit-code", code=11).stdout
    run("apply --yes")
    assert run("agents show a -o json").json()["limits"] == {"max_cost_usd": 0.25, "timeout": 300.0}
