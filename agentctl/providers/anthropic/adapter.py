"""The adapter for servers that speak Messages."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from typing import Any, ClassVar

from agentctl.domain.model import Model, Provider
from agentctl.net.client import Answer
from agentctl.providers import BUILT_IN
from agentctl.providers.anthropic.answer import MessagesAnswer
from agentctl.providers.anthropic.body import build_body
from agentctl.providers.anthropic.options import read_options
from agentctl.providers.base import ModelRequest, Runtime, StreamItem
from agentctl.providers.wire.defaults import with_defaults
from agentctl.providers.wire.requester import Requester
from agentctl.providers.wire.stream import read_events

PATH = "/messages"
VERSION = "2023-06-01"


class AnthropicAdapter:
    """Asks one declared provider; a provider without a base_url is Anthropic itself."""

    default_base_url: ClassVar[str | None] = BUILT_IN["anthropic"].base_url
    embedded: ClassVar[bool] = False
    inputs: ClassVar[frozenset[str]] = frozenset({"image", "pdf"})

    def __init__(self, provider: Provider, runtime: Runtime) -> None:
        self._provider = with_defaults(provider, BUILT_IN["anthropic"])
        self._requester = Requester(
            self._provider,
            runtime,
            path=PATH,
            protocol="Messages",
            key_header="x-api-key",
            defaults={"anthropic-version": VERSION},
            groups=("output_config",),
            # Everybody who offers this protocol names the folder before /v1 as its address.
            versioned=True,
        )

    def check(self, model: Model) -> None:
        """Find the key, once: a command that prints it may ask. Raises CredentialsError, ConfigError."""
        read_options(self._provider.options, model.options)
        self._requester.find_headers()

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """Deltas and notices, then one Reply.

        Raises CredentialsError and ConfigError before anything is sent.
        """
        options = read_options(self._provider.options, request.model.options, request.options)

        def build(refused: Sequence[str]) -> Mapping[str, Any]:
            return build_body(request, options, refused)

        def read(answer: Answer, chunks: AsyncIterator[bytes]) -> AsyncGenerator[StreamItem, None]:
            return read_events(chunks, MessagesAnswer(), answer.content_type)

        return self._requester.stream(request, build, read)

    async def close(self) -> None:
        """Let go of connections."""
        await self._requester.close()
