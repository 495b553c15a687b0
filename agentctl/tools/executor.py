"""Runs one call of a tool: checks its arguments, watches the clock, and turns every failure into a result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from agentctl.domain.surrogates import mend
from agentctl.domain.tool import ToolContext, ToolResult
from agentctl.tools.base import ToolError, ToolType

ERROR_LENGTH = 2_000


async def execute(tool: ToolType, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
    """The result of one call; `metadata` holds `duration_ms`. Nothing but a cancellation is raised.

    `data` is JSON that can be stored: finite numbers, text without halves of surrogate pairs.
    """
    started = perf_counter()
    values, faults = tool.check(arguments)
    if faults:
        return _fail("wrong arguments: " + "; ".join(faults), started)
    limit: float = tool.config.timeout
    deadline = asyncio.timeout(limit)
    try:
        async with deadline:
            data = await tool.run(values, context)
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except ToolError as error:
        return _fail(str(error), started)
    except Exception as error:
        if isinstance(error, TimeoutError) and deadline.expired():
            return _fail(f"the call took longer than {limit:g} s", started)
        return _fail(f"the tool failed unexpectedly ({type(error).__name__}: {error})", started)
    return ToolResult(True, data=data, metadata={"duration_ms": _since(started)})


def _fail(message: str, started: float) -> ToolResult:
    return ToolResult(False, error=mend(message[:ERROR_LENGTH]), metadata={"duration_ms": _since(started)})


def _since(started: float) -> int:
    return round((perf_counter() - started) * 1000)
