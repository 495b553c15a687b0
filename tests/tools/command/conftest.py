"""Declared programs, called as the engine calls them, with a folder and an environment of their own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.tool import Tool, ToolContext, ToolResult
from agentctl.tools.base import Services
from agentctl.tools.command.tool import Command
from agentctl.tools.executor import execute
from agentctl.tools.ready import make_ready

# Shows what a program really got: its words and what it read.
SHOW = "import json, sys; print(json.dumps([sys.argv[1:], sys.stdin.read()]))"

Make = Callable[..., Command]


@pytest.fixture
def variables() -> dict[str, str]:
    """The environment of the machine, as far as programs may have it."""
    return {"PATH": os.environ["PATH"], "HOME": "/home/ada", "LANG": "C.UTF-8", "EXTRA": "more"}


@pytest.fixture
def machine(services: Services, tmp_path: Path, variables: dict[str, str]) -> Services:
    """Services of a run in `tmp_path`."""
    return replace(services, cwd=str(tmp_path), find_variable=variables.get)


@pytest.fixture
def make(machine: Services) -> Make:
    """`make(argv=[...], arguments={...})` gives the tool, ready to run."""

    def build(**config: Any) -> Command:
        tool = Tool(slug="x", name="X", type="command", config=config)
        instance = make_ready(tool, {}, machine).instance
        assert isinstance(instance, Command)
        return instance

    return build


@pytest.fixture
def run(make: Make, context: ToolContext) -> Callable[..., ToolResult]:
    """`run({argv: ...}, name="value")` gives the ToolResult."""

    def call(config: dict[str, Any], /, **arguments: Any) -> ToolResult:
        return asyncio.run(execute(make(**config), arguments, context))

    return call


@pytest.fixture
def python(run: Callable[..., ToolResult]) -> Callable[..., ToolResult]:
    """`python(code, timeout=1)` runs a Python program without arguments."""

    def call(code: str, /, **config: Any) -> ToolResult:
        return run({"argv": [sys.executable, "-c", code.replace("{", "{{").replace("}", "}}")], **config})

    return call
