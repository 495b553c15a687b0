"""Tools as the engine calls them: through the executor, with services that are plain values."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from agentctl.domain.tool import Tool, ToolContext, ToolResult
from agentctl.domain.user import User
from agentctl.tools.base import Services
from agentctl.tools.executor import execute
from agentctl.tools.ready import make_ready

USERS = {7: User(7, "ada", preferred_model="openai/x")}


@pytest.fixture
def services() -> Services:
    """One user, a German locale, Chinese time."""
    return Services(find_user=USERS.get, locale="de_DE", time_zone="Asia/Shanghai")


@pytest.fixture
def context() -> ToolContext:
    """A call of user 7."""
    return ToolContext("x", user_id=7, session_id=None)


@pytest.fixture
def call(services: Services, context: ToolContext) -> Callable[..., ToolResult]:
    """`call("calculator", expression="1+1")` gives the ToolResult."""

    def run(kind: str, /, **arguments: Any) -> ToolResult:
        ready = make_ready(Tool(slug="x", name="X", type=kind), {}, services)
        return asyncio.run(execute(ready.instance, arguments, context))

    return run
