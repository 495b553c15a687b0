"""A network in memory: names, and what answers at addresses. No packet leaves the machine."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from typing import Any

import httpcore2

from agentctl.net.failure import NetworkFailure
from agentctl.net.guard.client import GuardedAnswer, GuardedClient
from agentctl.net.guard.policy import AddressPolicy

PAGE = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nhi"


def redirect(location: str, status: int = 302) -> bytes:
    """An answer that leads elsewhere; it also tries to leave a cookie."""
    return (
        f"HTTP/1.1 {status} Moved\r\nlocation: {location}\r\nset-cookie: id=1\r\ncontent-length: 0\r\n\r\n"
    ).encode()


class Network:
    """`names` gives the answers of each look-up of a name in turn, the last one for ever.

    `answers` are given to connections in turn, the last one for ever. What was looked up, connected to, sent,
    and which name TLS asked for is kept.
    """

    def __init__(
        self, names: Mapping[str, Sequence[Sequence[str]]] | None = None, answers: Sequence[bytes] = (PAGE,)
    ) -> None:
        self.names = {name: list(turns) for name, turns in (names or {}).items()}
        self.answers = list(answers)
        self.looked_up: list[str] = []
        self.connected: list[tuple[str, int]] = []
        self.sent: list[bytes] = []
        self.tls_names: list[str | None] = []
        self.dead: set[str] = set()

    async def resolve(self, host: str) -> list[str]:
        self.looked_up.append(host)
        turns = self.names.get(host)
        if not turns:
            raise NetworkFailure(f"no address found for {host}", where="dns")
        return list(turns.pop(0) if len(turns) > 1 else turns[0])

    async def connect(self, address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
        self.connected.append((address, port))
        if address in self.dead:
            raise httpcore2.ConnectError("nobody there")
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.sent.append(b"")
        return _Stream(self, answer)

    def get(self, url: str, method: str = "GET", **settings: Any) -> GuardedAnswer:
        """The answer to one request under a policy of `settings`."""
        headers = settings.pop("headers", {})
        content = settings.pop("content", b"")
        client = GuardedClient(
            AddressPolicy(**settings),
            resolve=self.resolve,
            connect=self.connect,
            trust=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        )
        return asyncio.run(client.request(method, url, headers=headers, content=content))


class _Stream(httpcore2.AsyncMockStream):
    def __init__(self, network: Network, answer: bytes) -> None:
        super().__init__([answer])
        self._network = network

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        self._network.sent[-1] += buffer

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore2.AsyncNetworkStream:
        self._network.tls_names.append(server_hostname)
        return self
