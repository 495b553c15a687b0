"""The `memory` of an agent, from YAML to the database and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.domain.agent import AgentMemory
from agentctl.errors import ConfigError
from agentctl.sync.schema import read_declared
from tests.conftest import Outcome
from tests.sync.conftest import Write

Run = Callable[..., Outcome]


def read(folder: Path, write: Write, memory: str) -> AgentMemory:
    write(f"agents:\n  - slug: a\n    memory: {memory}\n")
    return read_declared([], folder).agents[0].memory


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("{auto: true}", AgentMemory(auto=True)),
        ("{auto: true, budget: 300}", AgentMemory(auto=True, budget=300)),
        ("{}", AgentMemory()),
        ("~", AgentMemory()),
    ],
)
def test_memory_is_read(folder: Path, write: Write, written: str, meant: AgentMemory) -> None:
    assert read(folder, write, written) == meant


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("true", "3:13: memory: expected a mapping"),
        ("{auto: yes}", "3:20: auto: `yes` is text here; write true"),
        ("{budget: 0}", "3:22: budget: must be at least 1"),
        ("{size: 3}", "3:14: unknown key `size`"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(folder: Path, write: Write, written: str, fault: str) -> None:
    with pytest.raises(ConfigError) as error:
        read(folder, write, written)
    assert fault in str(error.value)


def test_a_changed_memory_is_a_change_of_the_plan_and_shown_and_exported(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "agents.yaml"
    file.write_text("agents:\n  - slug: a\n    memory: {auto: true}\n")
    run("apply --yes")
    assert run("agents show a -o json").json()["memory"] == {"auto": True, "budget": 1500}
    assert "no changes" in run("plan").stdout
    file.write_text("agents:\n  - slug: a\n    memory: {auto: true, budget: 900}\n")
    assert "memory" in run("plan --exit-code", code=11).stdout
    run("apply --yes")
    (tmp_path / "copy.yaml").write_text(run("export").stdout)
    assert "budget: 900" in (tmp_path / "copy.yaml").read_text()
    assert "no changes" in run("plan -f copy.yaml").stdout
