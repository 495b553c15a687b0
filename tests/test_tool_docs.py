"""What docs/tools.md shows is true: declarations hold, types and settings are all there, the class works."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.tools import TYPES, load_type
from agentctl.tools.base import ToolConfig
from agentctl.tools.schema import config_schema
from tests.conftest import Outcome
from tests.packages import install

PAGE = (Path(__file__).parent.parent / "docs" / "tools.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def rows(title: str) -> dict[str, list[str]]:
    """First cell -> the others, of the table in the section of that title."""
    section = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return {cells[0].strip(" `"): [cell.strip() for cell in cells[1:]] for cells in lines}


@pytest.mark.parametrize("name", TYPES)
def test_every_type_is_documented_with_its_risk(name: str) -> None:
    assert rows("Types")[name][-1] == load_type(name).risk


def test_the_settings_of_every_tool_are_documented() -> None:
    assert list(rows("Settings of every tool")) == list(config_schema(ToolConfig)["properties"])


@pytest.mark.parametrize("name", ["command", "fetch", "http", "search"])
def test_the_settings_of_a_type_are_documented(name: str) -> None:
    section = PAGE.partition(f"## The type {name}\n")[2].partition("\n## ")[0]
    own = set(config_schema(load_type(name).Config)["properties"]) - set(
        config_schema(ToolConfig)["properties"]
    )
    cells = re.findall(r"^\| (`[^|]+`) \|", section, re.MULTILINE)
    assert own <= {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}


@pytest.mark.parametrize(("expression", "cells"), rows("The type calculator").items())
def test_the_calculator_gives_what_the_page_says(
    expression: str, cells: list[str], run: Callable[..., Outcome]
) -> None:
    told = run(f"tools run calculator --arg 'expression={expression}' -o json").json()
    assert told["data"]["result"] == cells[0]


@pytest.mark.parametrize("block", blocks("yaml"))
def test_the_declarations_on_the_page_can_be_applied(
    block: str, run: Callable[..., Outcome], tmp_path: Path
) -> None:
    run("tools list")
    (tmp_path / "tools.yaml").write_text(block, encoding="utf-8")
    run("apply --yes")


def test_the_commands_on_the_page_run(agentctl: Callable[..., Outcome]) -> None:
    for line in blocks("sh")[0].splitlines():
        given, _, command = line.partition("#")[0].rpartition("agentctl ")
        stdin = given.removeprefix("echo '").partition("'")[0].encode() if given else None
        assert agentctl(command, stdin=stdin).stdout


def test_the_class_on_the_page_is_a_whole_type(agentctl: Callable[..., Outcome], tmp_path: Path) -> None:
    (source,) = blocks("python")
    folder = install(tmp_path / "site", source.replace("class Shout(", "class Extra("), name="shout")
    env = {"PYTHONPATH": f"{Path(__file__).parent.parent}:{folder}"}
    agentctl("tools create loud --type shout --config marks=3", env=env)
    assert agentctl("tools run loud --arg text=hello", env=env).stdout == "HELLO!!!\n"
    assert "nothing to shout" in agentctl("tools run loud --arg 'text= '", env=env, code=15).stderr
