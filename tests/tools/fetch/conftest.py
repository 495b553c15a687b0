"""A tool that fetches from a server of the test's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from agentctl.domain.tool import Tool, ToolContext, ToolResult
from agentctl.tools.base import Services
from agentctl.tools.executor import execute
from agentctl.tools.ready import make_ready
from tests.loopback import Response, Server

Fetch = Callable[..., ToolResult]


@pytest.fixture
def fetch(services: Services, context: ToolContext) -> Fetch:
    """`fetch(url, mode="json")` gives the result of a tool with that config; private places are allowed."""

    def run(url: str, start: int = 0, **config: Any) -> ToolResult:
        tool = Tool(slug="x", name="X", type="fetch", config={"allow_private": True, **config})
        instance = make_ready(tool, {}, services).instance
        return asyncio.run(execute(instance, {"url": url, "start": start}, context))

    return run


@pytest.fixture
def fetch_body(fetch: Fetch) -> Fetch:
    """`fetch_body(b"...", "text/html")` serves a body and fetches it."""

    def run(
        body: bytes | str, kind: str | None = "text/html", status: int = 200, **config: Any
    ) -> ToolResult:
        headers = {"content-type": kind} if kind is not None else {}
        with Server(Response([body], status, headers)) as server:
            return fetch(server.url + "/d/page", **config)

    return run
