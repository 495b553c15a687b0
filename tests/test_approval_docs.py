"""What docs/approvals.md shows is true: its rules can be applied, its commands run, its tables are whole."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from agentctl.domain.question import OnApproval
from agentctl.sync.rules import RULE
from tests.conftest import Outcome

PAGE = (Path(__file__).parent.parent / "docs" / "approvals.md").read_text(encoding="utf-8")
RULES = PAGE.partition("## Rules")[2].partition("\n## ")[0]


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", RULES, re.DOTALL))
def test_the_rules_on_the_page_can_be_applied(
    block: str, run: Callable[..., Outcome], tmp_path: Path
) -> None:
    (tmp_path / "agents.yaml").write_text(block, encoding="utf-8")
    run("apply --yes")


def test_the_commands_on_the_page_run(run: Callable[..., Outcome]) -> None:
    for block in re.findall(r"```sh\n(.*?)```", RULES, re.DOTALL):
        for line in block.splitlines():
            words = line.partition("  #")[0].removeprefix("agentctl ")
            # The calculator needs no approval, and nothing here denies it.
            run(words)


def test_every_key_of_a_rule_is_explained() -> None:
    first = "".join(line.split("|")[1] for line in RULES.splitlines() if line.startswith("| `"))
    assert set(RULE) <= set(re.findall(r"`(\w+)`", first))


def test_every_way_to_treat_a_question_is_explained() -> None:
    assert all(f"| `{choice}`" in RULES for choice in get_args(OnApproval))
