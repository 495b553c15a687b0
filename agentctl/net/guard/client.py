"""The HTTP client for places that a model or a page chose: guarded, bounded, and without a memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import httpcore2

from agentctl.net.client import USER_AGENT
from agentctl.net.failure import NetworkFailure
from agentctl.net.guard.backend import CONNECT_TIMEOUT, Connect, GuardedBackend, connect_directly
from agentctl.net.guard.decoding import ACCEPTED, Decoder
from agentctl.net.guard.failure import Refused, explain
from agentctl.net.guard.lookup import Resolve, resolve
from agentctl.net.guard.policy import AddressPolicy
from agentctl.net.guard.target import Target, follow, read_target
from agentctl.net.guard.tunnel import connect_through

if TYPE_CHECKING:
    import ssl

_REDIRECTS = (301, 302, 303, 307, 308)
# What still goes along when a redirect leads to another origin; anything else may be a key.
_HARMLESS = ("accept", "accept-language", "content-type", "user-agent")


@dataclass(frozen=True)
class GuardedAnswer:
    """A whole answer: header names in small letters, `url` after redirects, `body` unpacked.

    `truncated` says that the body was longer than the policy's `max_bytes`.
    """

    status: int
    headers: Mapping[str, str]
    url: str
    body: bytes
    truncated: bool = False

    @property
    def content_type(self) -> str:
        """The media type in small letters, without parameters; "" where none was sent."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The charset that the content type names, in small letters."""
        for parameter in self.headers.get("content-type", "").split(";")[1:]:
            name, _, text = parameter.partition("=")
            if name.strip().lower() == "charset":
                return text.strip().strip("\"'").lower() or None
        return None


@dataclass(frozen=True)
class _Request:
    method: str
    target: Target
    headers: Mapping[str, str]
    content: bytes


class GuardedClient:
    """Sends requests where `policy` allows it; knows no proxy of the environment and keeps no cookie.

    `proxy` is the only way to one. `resolve`, `connect` and `trust` (of TLS) are for tests.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        proxy: str | None = None,
        resolve: Resolve = resolve,
        connect: Connect | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._policy = policy
        self._trust = trust
        direct = connect_through(proxy) if proxy else connect_directly
        self._backend = GuardedBackend(policy, resolve, connect or direct)

    async def request(
        self, method: str, url: str, *, headers: Mapping[str, str] | None = None, content: bytes = b""
    ) -> GuardedAnswer:
        """The answer to a request, redirects followed; `host` and lengths are set whatever `headers` say.

        Raises NetworkFailure, and of these Refused where the guard says no.
        """
        try:
            async with asyncio.timeout(self._policy.timeout):
                return await self._follow(_Request(method.upper(), read_target(url), headers or {}, content))
        except TimeoutError:
            words = f"{read_target(url).place} took longer than {self._policy.timeout:g} s"
            raise NetworkFailure(words, where="idle") from None

    async def _follow(self, request: _Request) -> GuardedAnswer:
        for _ in range(self._policy.max_redirects + 1):
            async with self._send(request) as (status, headers, pieces):
                location = headers.get("location")
                if status not in _REDIRECTS or location is None:
                    body, truncated = await self._read(pieces, headers)
                    return GuardedAnswer(status, headers, request.target.url, body, truncated)
            following = follow(request.target, location)
            if self._policy.one_host and _bare(following) != _bare(request.target):
                leads = f"{request.target.place} leads on to another host, {following.place}"
                raise Refused(f"{leads}, where this request must not go")
            request = _redirect(request, status, following)
        most = self._policy.max_redirects
        raise Refused(f"more than {most} redirects; the next one leads to {request.target.url[:200]}")

    @asynccontextmanager
    async def _send(
        self, request: _Request
    ) -> AsyncIterator[tuple[int, dict[str, str], AsyncIterator[bytes]]]:
        """Status, headers and the packed body of one answer; leaving the block ends the connection."""
        target = request.target
        try:
            async with (
                # A pool of its own for each: no connection is ever found again by another request.
                httpcore2.AsyncConnectionPool(
                    ssl_context=self._find_trust(target), network_backend=self._backend
                ) as pool,
                pool.stream(
                    request.method,
                    httpcore2.URL(
                        scheme=target.scheme, host=target.host, port=target.port, target=target.path
                    ),
                    headers=_headers(request),
                    content=request.content or None,
                    extensions={"timeout": {"connect": CONNECT_TIMEOUT}},
                ) as response,
            ):
                yield response.status, _join(response.headers), response.aiter_stream()
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            raise explain(error, target.place, connect_timeout=CONNECT_TIMEOUT) from error

    async def _read(self, pieces: AsyncIterator[bytes], headers: Mapping[str, str]) -> tuple[bytes, bool]:
        limit = self._policy.max_bytes
        decoder = Decoder(headers.get("content-encoding", ""), limit)
        body = bytearray()
        arrived = 0
        async for data in pieces:
            arrived += len(data)
            for piece in decoder.feed(data):
                body += piece[: limit + 1 - len(body)]
                if len(body) > limit:
                    return bytes(memoryview(body)[:limit]), True
            # Packed data that unpacks to nothing could go on for ever.
            if arrived > limit + (1 << 20):
                raise Refused("the answer is larger packed than unpacked")
        decoder.finish()
        return bytes(body), False

    def _find_trust(self, target: Target) -> ssl.SSLContext | None:
        if target.scheme == "http":
            return None
        return self._trust or _load_trust()


def _redirect(request: _Request, status: int, target: Target) -> _Request:
    method, content, headers = request.method, request.content, dict(request.headers)
    if status == 303 or (status in (301, 302) and method == "POST"):
        method, content = "HEAD" if method == "HEAD" else "GET", b""
        headers = {name: text for name, text in headers.items() if name.lower() != "content-type"}
    if target.origin != request.target.origin:
        if content:
            raise Refused(f"{request.target.place} asks to send the data on to {target.place}")
        headers = {name: text for name, text in headers.items() if name.lower() in _HARMLESS}
    return _Request(method, target, headers, content)


def _bare(target: Target) -> str:
    return target.host.removeprefix("www.")


def _headers(request: _Request) -> list[tuple[str, str]]:
    given = {name.lower(): text for name, text in request.headers.items()}
    for fixed in ("host", "content-length", "transfer-encoding", "connection"):
        given.pop(fixed, None)
    defaults = {"accept": "*/*", "accept-encoding": ACCEPTED, "user-agent": USER_AGENT}
    length = (
        str(len(request.content)) if request.content or request.method in ("POST", "PUT", "PATCH") else None
    )
    framing = {"host": request.target.place, "connection": "close"}
    if length is not None:
        framing["content-length"] = length
    return [*framing.items(), *{**defaults, **given}.items()]


def _join(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for raw_name, raw_text in headers:
        name, text = raw_name.decode("latin-1").lower(), raw_text.decode("latin-1")
        joined[name] = f"{joined[name]}, {text}" if name in joined else text
    return joined


@lru_cache(maxsize=1)
def _load_trust() -> ssl.SSLContext:
    return httpcore2.default_ssl_context()
