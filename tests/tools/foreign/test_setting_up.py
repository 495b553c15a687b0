"""A type of a package that fails while it is made ready: its own tool cannot be used, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.tool import Tool
from agentctl.store import Store
from tests.packages import WHOLE, install


@pytest.mark.parametrize(
    "head",
    [
        "def __init__(self, config, services):",
        "def describe(self):",
        "def find_obstacle(self):",
        "def arguments_schema(self):",
        "@classmethod\n    def check_config(cls, config):",
        "@classmethod\n    def risk_of(cls, config):",
    ],
)
@pytest.mark.parametrize("kind", ["ValueError", "SystemExit"])
def test_it_makes_its_tool_not_ready(
    agentctl: Callable[..., Any], tmp_path: Path, store: Store, head: str, kind: str
) -> None:
    folder = install(tmp_path / "site", f"{WHOLE}\n    {head}\n        raise {kind}('no moon')\n")
    env = {"PYTHONPATH": f"{Path(__file__).parents[3]}:{folder}"}
    store.tools.put(Tool("bad", "Bad", "extra"))
    assert f"{kind}: no moon" in agentctl("tools run bad", env=env, code=5).stderr
    assert f"{kind}: no moon" in agentctl("tools list", env=env).stdout
