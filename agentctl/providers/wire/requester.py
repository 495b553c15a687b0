"""Sends the requests of one provider, once more where a parameter was refused."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from agentctl.domain.model import Provider
from agentctl.domain.surrogates import mend
from agentctl.net.client import IDLE_TIMEOUT, Answer, HttpClient
from agentctl.net.failure import NetworkFailure
from agentctl.providers.base import ModelRequest, Notice, Reply, Runtime, StreamItem
from agentctl.providers.faults import decode_body
from agentctl.providers.keys import build_headers
from agentctl.providers.wire.endpoint import find_endpoint
from agentctl.providers.wire.explain import Explainer
from agentctl.providers.wire.refused import find_refused
from agentctl.providers.wire.stream import read_tail

_ERROR_BODY = 64 * 1024
_HEADERS = {"accept": "text/event-stream, application/json", "content-type": "application/json"}

# Builds the body of a request from the names of what was refused before, oldest first: without it, or with
# another form of it. A name comes twice where its second form was refused as well.
Build = Callable[[Sequence[str]], Mapping[str, Any]]
Read = Callable[[Answer, AsyncIterator[bytes]], AsyncGenerator[StreamItem, None]]


class Requester:
    """Speaks with one provider over one connection pool.

    `path` is that of the endpoint, `protocol` its name for people, `key_header` where the key goes;
    `defaults` are headers of the protocol that the provider's own override; members of a parameter in
    `groups` are refused one by one, as `group.member`; `versioned` is that of `find_endpoint`.
    """

    def __init__(
        self,
        provider: Provider,
        runtime: Runtime,
        *,
        path: str,
        protocol: str,
        key_header: str = "authorization",
        defaults: Mapping[str, str] | None = None,
        groups: Sequence[str] = (),
        versioned: bool = False,
    ) -> None:
        self._provider = provider
        self._runtime = runtime
        self._url = find_endpoint(provider.base_url or "", path, versioned=versioned)
        self._protocol = protocol
        self._key_header = key_header
        self._defaults = {**_HEADERS, **(defaults or {})}
        self._groups = groups
        self._client: HttpClient | None = None
        self._headers: dict[str, str] | None = None
        self._refused: dict[str, list[str]] = {}

    def find_headers(self) -> dict[str, str]:
        """All headers, keys included; found once: a command that prints a key may ask a person.

        Raises CredentialsError and ConfigError.
        """
        if self._headers is None:
            keyed = build_headers(self._provider, self._runtime, self._key_header)
            self._headers = {**self._defaults, **keyed}
        return self._headers

    async def stream(
        self, request: ModelRequest, build: Build, read: Read
    ) -> AsyncGenerator[StreamItem, None]:
        """Deltas and notices, then one Reply.

        Raises CredentialsError and ConfigError, both before anything is sent. A parameter that the model
        turns out not to take is left out from then on, and a Notice says so.
        """
        headers = self.find_headers()
        explainer = Explainer(self._provider, self._runtime, self._url, self._protocol, headers)
        refused = self._refused.setdefault(request.model.name, [])
        body = build(refused)
        try:
            while True:
                async with self._open().post(self._url, headers=headers, content=encode_body(body)) as answer:
                    if answer.status < 300:
                        async with (
                            aclosing(answer.chunks()) as chunks,
                            aclosing(read(answer, chunks)) as items,
                        ):
                            async for item in items:
                                yield explainer.annotate(item) if isinstance(item, Reply) else item
                            await read_tail(chunks)
                        return
                    error = await answer.read(_ERROR_BODY)
                name = find_refused(answer.status, decode_body(error), self._list_parameters(body))
                sent, body = body, build(refused)
                # Another request may have learned it meanwhile; what was refused twice is twice in the list.
                if name is not None and body == sent:
                    refused.append(name)
                    body = build(refused)
                    if body != sent:
                        yield Notice(
                            "parameter", f"{request.model.name} does not take {name}; {_tell(name, body)}"
                        )
                if name is None or body == sent:
                    yield Reply(finish="error", fault=explainer.explain(answer, error))
                    return
        except NetworkFailure as failure:
            yield Reply(finish="error", fault=explainer.explain_network(failure))

    async def close(self) -> None:
        """Let go of connections."""
        if self._client:
            await self._client.close()
            self._client = None

    def _list_parameters(self, body: Mapping[str, Any]) -> list[str]:
        """The names of what is sent, members of groups included."""
        groups = [name for name in self._groups if isinstance(body.get(name), Mapping)]
        return [*body, *(f"{name}.{member}" for name in groups for member in body[name])]

    def _open(self) -> HttpClient:
        if self._client is None:
            timeout = self._runtime.stream_timeout
            self._client = self._runtime.make_client(
                self._url,
                connect_timeout=self._runtime.connect_timeout,
                idle_timeout=IDLE_TIMEOUT if timeout is None else timeout,
            )
        return self._client


def _tell(name: str, body: Mapping[str, Any]) -> str:
    return "asking in another form" if name in body else "asking without it"


def encode_body(body: Mapping[str, Any]) -> bytes:
    """The bytes on the wire; half surrogate pairs, which no server can read, are replaced."""
    return mend(json.dumps(body, ensure_ascii=False, separators=(",", ":"))).encode()
