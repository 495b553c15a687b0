"""The adapter for servers that speak Chat Completions."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from typing import ClassVar

from agentctl.domain.model import Model, Provider
from agentctl.net.client import IDLE_TIMEOUT, Answer, HttpClient
from agentctl.net.failure import NetworkFailure
from agentctl.providers import BUILT_IN
from agentctl.providers.base import ModelRequest, Notice, Reply, Runtime, StreamItem
from agentctl.providers.faults import decode_body, from_network
from agentctl.providers.keys import build_headers
from agentctl.providers.openai_chat.body import build_body, encode_body
from agentctl.providers.openai_chat.endpoint import find_endpoint
from agentctl.providers.openai_chat.explain import Explainer
from agentctl.providers.openai_chat.options import ChatOptions, read_options
from agentctl.providers.openai_chat.refused import find_refused
from agentctl.providers.openai_chat.stream import read_stream

_ERROR_BODY = 64 * 1024
_HEADERS = {"accept": "text/event-stream, application/json", "content-type": "application/json"}


class OpenAIChatAdapter:
    """Asks one declared provider; a provider without a base_url is OpenAI itself."""

    default_base_url: ClassVar[str | None] = BUILT_IN["openai"].base_url
    embedded: ClassVar[bool] = False

    def __init__(self, provider: Provider, runtime: Runtime) -> None:
        self._provider = _with_defaults(provider)
        self._runtime = runtime
        self._url = find_endpoint(self._provider.base_url or "")
        self._client: HttpClient | None = None
        self._headers: dict[str, str] | None = None
        self._refused: dict[str, set[str]] = {}

    def check(self, model: Model) -> None:
        """Find the key, once: a command that prints it may ask. Raises CredentialsError, ConfigError."""
        read_options(self._provider.options, model.options)
        self._find_headers()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """Deltas and notices, then one Reply.

        Raises CredentialsError and ConfigError, both before anything is sent. A parameter that the model
        turns out not to take is left out from then on, and a Notice says so.
        """
        options = read_options(self._provider.options, request.model.options, request.options)
        headers = self._find_headers()
        explainer = Explainer(self._provider, self._url, headers)
        refused = self._refused.setdefault(request.model.name, set())
        try:
            while True:
                body = build_body(request, options, refused)
                async with self._open().post(self._url, headers=headers, content=encode_body(body)) as answer:
                    if answer.status < 300:
                        async with (
                            aclosing(answer.chunks()) as chunks,
                            aclosing(_read(answer, chunks, request, options)) as items,
                        ):
                            async for item in items:
                                yield explainer.annotate(item) if isinstance(item, Reply) else item
                        return
                    error = await answer.read(_ERROR_BODY)
                name = find_refused(answer.status, decode_body(error), body.keys())
                if name is None:
                    yield Reply(finish="error", fault=explainer.explain(answer, error))
                    return
                refused.add(name)
                yield Notice("parameter", f"{request.model.name} does not take {name}; asking without it")
        except NetworkFailure as failure:
            yield Reply(finish="error", fault=from_network(failure))

    async def close(self) -> None:
        """Let go of connections."""
        if self._client:
            await self._client.close()
            self._client = None

    def _find_headers(self) -> dict[str, str]:
        """All headers, keys included."""
        if self._headers is None:
            self._headers = {**_HEADERS, **build_headers(self._provider, self._runtime)}
        return self._headers

    def _open(self) -> HttpClient:
        if self._client is None:
            timeout = self._runtime.stream_timeout
            self._client = HttpClient(
                self._url,
                connect_timeout=self._runtime.connect_timeout,
                idle_timeout=IDLE_TIMEOUT if timeout is None else timeout,
            )
        return self._client


def _read(
    answer: Answer, chunks: AsyncIterator[bytes], request: ModelRequest, options: ChatOptions
) -> AsyncGenerator[StreamItem, None]:
    """The items of a response."""
    names = frozenset(tool.name for tool in request.tools) if options.lenient_tool_calls else frozenset()
    return read_stream(
        chunks,
        content_type=answer.content_type,
        status=answer.status,
        think_tags=options.think_tags,
        lenient_names=names,
    )


def _with_defaults(provider: Provider) -> Provider:
    """A provider without a base_url is the one that this protocol comes from, with its key and options."""
    if provider.base_url:
        return provider
    built_in = BUILT_IN["openai"]
    own_header = any(name.lower() == "authorization" for name in provider.headers)
    own_key = provider.api_key_env or provider.api_key_cmd or own_header
    return replace(
        provider,
        base_url=built_in.base_url,
        api_key_env=provider.api_key_env if own_key else built_in.api_key_env,
        options={**built_in.options, **provider.options},
    )
