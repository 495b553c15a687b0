"""Asks a provider again when a request failed for a moment and nothing was shown yet."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import get_args

from agentctl.domain.ids import chance, has_time
from agentctl.net.failure import FailureType
from agentctl.net.retry import ATTEMPTS, LONGEST_WAIT, choose_delay
from agentctl.providers.base import Adapter, Delta, Fault, ModelRequest, Notice, Reply, StreamItem


async def stream_with_retries(
    adapter: Adapter,
    request: ModelRequest,
    *,
    attempts: int = ATTEMPTS,
    deadline: float | None = None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    now: Callable[[], float] = time.monotonic,
    chance: Callable[[], float] = chance,
) -> AsyncGenerator[StreamItem, None]:
    """Like `adapter.stream`, with up to `attempts` requests and a Notice("retry") before each wait.

    Only a retryable fault before the first delta is tried again, and not when the server wants more than 60 s
    or the wait would pass `deadline` (seconds, by `now`). Cancelling or closing ends the wait at once.
    """
    for attempt in range(1, attempts + 1):
        failed: Reply | None = None
        shown = False
        async with aclosing(adapter.stream(request)) as items:
            async for item in items:
                shown = shown or isinstance(item, Delta)
                if isinstance(item, Reply) and item.fault and not shown and item.fault.retryable:
                    failed = item
                else:
                    yield item
        if failed is None or failed.fault is None:
            return
        fault = failed.fault
        delay = choose_delay(attempt, fault.retry_after, chance()) if attempt < attempts else None
        if delay is None or (deadline is not None and now() + delay >= deadline):
            yield replace(failed, fault=_explain(fault))
            return
        yield Notice("retry", f"retrying in {delay:.1f} s: {_name(fault, request)}")
        await sleep(delay if has_time() else 0)


def _name(fault: Fault, request: ModelRequest) -> str:
    """A few words for what failed; what the network says names the place already."""
    if fault.type in get_args(FailureType):
        return fault.message
    return f"{fault.status or fault.type} from {request.model.provider}"


def _explain(fault: Fault) -> Fault:
    """The fault, with the wait that was too long to be worth it."""
    if fault.retry_after is None or fault.retry_after <= LONGEST_WAIT:
        return fault
    return replace(fault, hint=f"The provider asks to wait {fault.retry_after:.0f} s.")
