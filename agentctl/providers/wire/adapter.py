"""What the adapters of all protocols over HTTP have in common."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from agentctl.domain.model import Model, Provider
from agentctl.net.client import Answer
from agentctl.providers.base import ModelRequest, StreamItem
from agentctl.providers.wire.answer import StreamedAnswer
from agentctl.providers.wire.requester import Requester
from agentctl.providers.wire.stream import read_events

Options = TypeVar("Options")


class HttpAdapter(Generic[Options]):
    """Asks one declared provider; each protocol brings its own options, bodies and answers.

    `read_options` takes layers of options, later ones stronger, and raises ConfigError; `build_body` gets the
    names of refused parameters as the requester's `Build` does.
    """

    embedded: ClassVar[bool] = False
    inputs: ClassVar[frozenset[str]] = frozenset({"image", "pdf"})

    def __init__(
        self,
        provider: Provider,
        requester: Requester,
        read_options: Callable[..., Options],
        build_body: Callable[[ModelRequest, Options, Sequence[str]], Mapping[str, Any]],
        make_answer: Callable[[ModelRequest, Options], StreamedAnswer],
    ) -> None:
        self._provider = provider
        self._requester = requester
        self._read_options = read_options
        self._build_body = build_body
        self._make_answer = make_answer

    def check(self, model: Model) -> None:
        """Find the key, once: a command that prints it may ask. Raises CredentialsError, ConfigError."""
        self._read_options(self._provider.options, model.options)
        self._requester.find_headers()

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """Deltas and notices, then one Reply.

        Raises CredentialsError and ConfigError before anything is sent.
        """
        options = self._read_options(self._provider.options, request.model.options, request.options)

        def build(refused: Sequence[str]) -> Mapping[str, Any]:
            return self._build_body(request, options, refused)

        def read(answer: Answer, chunks: AsyncIterator[bytes]) -> AsyncGenerator[StreamItem, None]:
            return read_events(chunks, self._make_answer(request, options), answer.content_type)

        return self._requester.stream(request, build, read)

    async def close(self) -> None:
        """Let go of connections."""
        await self._requester.close()
