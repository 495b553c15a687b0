"""The HTTP client whose requests somebody hears of."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from agentctl.net.address import hide_secrets
from agentctl.net.client import Answer, HttpClient
from agentctl.net.failure import NetworkFailure

# Hears of a request: its URL without secrets, the status (None where no answer came), what broke it off, and
# the milliseconds that it took.
Observe = Callable[[str, int | None, str | None, int], None]


class ObservedClient(HttpClient):
    """Sends requests as usual; `observe` hears of each when it is over."""

    def __init__(self, url: str, *, observe: Observe, **limits: Any) -> None:
        super().__init__(url, **limits)
        self._observe = observe

    @asynccontextmanager
    async def post(self, url: str, *, headers: Mapping[str, str], content: bytes) -> AsyncIterator[Answer]:
        """As the client it is one of."""
        started = time.monotonic()
        status, failure = None, None
        try:
            async with super().post(url, headers=headers, content=content) as answer:
                status = answer.status
                yield answer
        except NetworkFailure as broken:
            failure = broken.message
            raise
        finally:
            self._observe(hide_secrets(url), status, failure, round((time.monotonic() - started) * 1000))
