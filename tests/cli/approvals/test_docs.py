"""docs/approvals.md names every command, option and state, and what it shows can be typed and applied."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import click
import pytest

from agentctl.cli.approvals import COMMANDS
from agentctl.cli.approvals import command as group
from agentctl.domain.approval import ApprovalStatus
from agentctl.store import Store
from tests.conftest import Outcome

PAGE = (Path(__file__).parents[3] / "docs" / "approvals.md").read_text(encoding="utf-8")
OWN = PAGE.partition("\n## Rules")[0]
LINES = [
    line.partition("  #")[0].removeprefix("agentctl approvals ")
    for block in re.findall(r"```sh\n(.*?)```", OWN, re.DOTALL)
    for text in block.splitlines()
    for line in re.split(r" \| | > audit", text)
    if line.startswith("agentctl approvals ")
]


@pytest.mark.parametrize("line", LINES)
def test_a_command_on_the_page_can_be_typed(line: str) -> None:
    name, *words = shlex.split(line)
    command = group.get_command(click.Context(group), name)
    assert command is not None
    command.make_context(name, words).close()


def test_every_command_is_on_the_page() -> None:
    assert set(COMMANDS) <= set(re.findall(r"approvals (\w+)", OWN))


def test_every_state_is_explained() -> None:
    rows = "".join(line.split("|")[1] for line in OWN.splitlines() if line.startswith("| `"))
    assert set(get_args(ApprovalStatus)) <= set(re.findall(r"`(\w+)`", rows))


def test_the_program_on_the_page_can_be_applied(
    run: Callable[..., Outcome], store: Store, tmp_path: Path
) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", OWN, re.DOTALL)
    (tmp_path / "agents.yaml").write_text(block, encoding="utf-8")
    run("apply --yes")
    assert json.loads(store.settings.get("notify") or "")[0] == "/usr/local/bin/tell-me"
