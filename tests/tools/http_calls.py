"""Runs declared tools that speak HTTP as the engine would, against servers on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from agentctl.domain.tool import Tool, ToolContext, ToolResult
from agentctl.errors import CredentialsError
from agentctl.tools.base import Services
from agentctl.tools.executor import execute
from agentctl.tools.ready import make_ready

KEYS = {"WEATHER_KEY": "k-0123456789abcdef-secret"}


def find_secret(reference: Mapping[str, str], origin: str) -> str:
    """Keys of the environment only."""
    name = reference.get("env", "")
    if name not in KEYS:
        raise CredentialsError(f"set {name}")
    return KEYS[name]


SERVICES = Services(find_user=lambda _: None, locale="C", time_zone="UTC", find_secret=find_secret)


def call_tool(
    kind: str,
    config: Mapping[str, Any],
    arguments: Mapping[str, Any] | None = None,
    *,
    call_id: str = "c1",
    services: Services = SERVICES,
) -> ToolResult:
    """The result of one call of a tool of this type and config."""
    ready = make_ready(Tool("x", "X", kind, config=config), {}, services)
    context = ToolContext("x", 7, "as_1", call_id=call_id)
    return asyncio.run(execute(ready.instance, arguments or {}, context))
