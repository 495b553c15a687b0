"""Runs one call of a tool: checks its arguments, watches the clock, and turns every failure into a result."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any

from agentctl.domain.surrogates import mend
from agentctl.domain.tool import ToolContext, ToolResult
from agentctl.tools.base import ToolError, ToolType
from agentctl.tools.caching import find_key
from agentctl.tools.call_check import check_call
from agentctl.tools.result import encode, name_error
from agentctl.tools.trust import find_held, find_holdings, is_foreign

ERROR_LENGTH = 2_000
# What a call may take to let go of things after its time is over; then it is left alone.
GRACE = 1.0


async def execute(tool: ToolType, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
    """The result of one call; `metadata` holds `duration_ms`. Nothing but a cancellation is raised.

    `data` is JSON that can be stored: finite numbers, text without halves of surrogate pairs, no secrets
    that are known. `metadata` says what else there is to say: `cached`, what the result `holds` (words of
    strangers, things of the user), what the tool `printed`.
    """
    started = perf_counter()
    metadata: dict[str, Any] = {}
    try:
        data, error = await _perform(tool, arguments, context, metadata)
    except (Exception, SystemExit) as failure:
        data, error = None, f"the call failed unexpectedly ({name_error(failure)})"
    if error is None and (held := find_held(tool, data)):
        metadata["holds"] = list(held)
    blanks = tool.services.find_blanks()
    known = {"duration_ms": round((perf_counter() - started) * 1000), **blanks.blank(metadata)}
    if error is not None:
        # Blanked before it is cut, so that no half of a secret is left at the end.
        error = mend(blanks.blank(error)[:ERROR_LENGTH])
        return ToolResult(False, data=blanks.blank(data), error=error, metadata=known)
    return ToolResult(True, data=blanks.blank(data), metadata=known)


async def _perform(
    tool: ToolType, arguments: Mapping[str, Any], context: ToolContext, metadata: dict[str, Any]
) -> tuple[Any, str | None]:
    """Data, or what went wrong; notes in `metadata` what is to be known of the result."""
    checked = check_call(tool, arguments)
    if checked.faults:
        return None, ("" if checked.secret else "wrong arguments: ") + "; ".join(checked.faults)
    if holdings := find_holdings(tool):
        metadata["holds"] = list(holdings)
    key = find_key(tool, checked.values, context)
    results = tool.services.results
    if key and results and (kept := results.find(key)):
        metadata["cached"] = True
        return kept["data"], None
    # Only tools of packages need processes, and their arguments travel as they came.
    if is_foreign(tool):
        call = _run_foreign(tool, arguments, context, metadata)
    else:
        call = tool.run(checked.values, context)
    data, error = await _run(tool, call)
    if error is None and key and results:
        with suppress(Exception):  # a disk that is full costs the next call time, and this one nothing
            results.keep(key, tool.services.find_blanks().blank(data), tool.config.cache)
    return data, error


async def _run(tool: ToolType, call: Coroutine[Any, Any, Any]) -> tuple[Any, str | None]:
    limit: float = tool.config.timeout
    task = asyncio.create_task(_catch(call))
    try:
        await asyncio.wait({task}, timeout=limit + tool.slack)
    finally:
        # Also where this call is cancelled; one that does not end holds up nobody for long.
        late = not task.done()
        if late:
            task.cancel()
            await asyncio.wait({task}, timeout=GRACE)
    if late:
        return None, f"the call took longer than {limit:g} s"
    data, error = task.result()
    if isinstance(error, ToolError):
        return _as_json(error.data)[0], str(error)
    if error is not None:
        return None, f"the tool failed unexpectedly ({name_error(error)})"
    return _as_json(data)


async def _catch(call: Coroutine[Any, Any, Any]) -> tuple[Any, BaseException | None]:
    """What a call gave or raised; an exit that a tool asks for is no exit of this process."""
    try:
        return await call, None
    except GeneratorExit:
        raise
    except BaseException as error:
        return None, error


def _as_json(data: Any) -> tuple[Any, str | None]:
    try:
        encode(data)
    except ToolError as error:
        return None, str(error)
    return data, None


def _run_foreign(
    tool: ToolType, arguments: Mapping[str, Any], context: ToolContext, metadata: dict[str, Any]
) -> Coroutine[Any, Any, Any]:
    from agentctl.tools.foreign.call import run_foreign

    return run_foreign(tool, arguments, context, metadata)
