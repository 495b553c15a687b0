"""Requests to the server of an embedded model, over its socket."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from agentctl.domain.surrogates import mend
from agentctl.net.client import HttpClient
from agentctl.net.failure import NetworkFailure
from agentctl.providers.base import Delta, Reply, StreamItem
from agentctl.providers.faults import from_body, from_network
from agentctl.providers.local.starter import Connection
from agentctl.providers.openai_chat.answer import ChatAnswer
from agentctl.providers.wire.stream import read_events

# The host means nothing on a unix socket.
_URL = "http://localhost"
_ERROR_BODY = 64 << 10
# The server closes idle connections just when they are used again, about once in seventy requests.
_LOST = ("connect", "network", "truncated")


class Endpoint:
    """One running server. Every request has a connection of its own, and ends with it."""

    def __init__(self, client: HttpClient, connection: Connection) -> None:
        self._client = client
        self.runtime = connection.runtime
        self._headers = {
            "authorization": f"Bearer {connection.key}",
            "connection": "close",
            "content-type": "application/json",
        }

    async def stream(self, body: Mapping[str, Any]) -> AsyncGenerator[StreamItem, None]:
        """The answer to a chat request; asked once more where the connection broke before anything came."""
        shown = False
        for attempt in (1, 2):
            again = False
            async with aclosing(self._stream_once(body)) as items:
                async for item in items:
                    shown = shown or isinstance(item, Delta)
                    if isinstance(item, Reply) and item.fault and attempt == 1 and not shown:
                        again = item.fault.type in _LOST
                    if not again:
                        yield item
            if not again:
                return

    async def collect(self, body: Mapping[str, Any]) -> Reply:
        """The whole answer to a chat request."""
        reply = Reply()
        async with aclosing(self.stream(body)) as items:
            async for item in items:
                if isinstance(item, Reply):
                    reply = item
        return reply

    async def ask(self, path: str, body: Mapping[str, Any]) -> bool:
        """Whether the server did what it was asked for."""
        try:
            async with self._client.post(
                f"{_URL}{path}", headers=self._headers, content=_encode(body)
            ) as answer:
                await answer.read(_ERROR_BODY)
                return answer.status < 300
        except NetworkFailure:
            return False

    async def _stream_once(self, body: Mapping[str, Any]) -> AsyncGenerator[StreamItem, None]:
        content = _encode({**body, "stream": True, "stream_options": {"include_usage": True}})
        try:
            async with (
                self._client.post(
                    f"{_URL}/v1/chat/completions", headers=self._headers, content=content
                ) as answer,
                aclosing(answer.chunks()) as chunks,
            ):
                if answer.status >= 300:
                    error = await answer.read(_ERROR_BODY)
                    yield Reply(finish="error", fault=from_body(answer.status, error, answer.content_type))
                    return
                async for item in read_events(chunks, ChatAnswer(), answer.content_type):
                    yield item
        except NetworkFailure as failure:
            yield Reply(finish="error", fault=from_network(failure))


def _encode(body: Mapping[str, Any]) -> bytes:
    return mend(json.dumps(body, ensure_ascii=False)).encode()
