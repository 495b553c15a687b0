"""The HTTP client that keeps what it sends and gets, and the one that answers from what was kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urljoin

from agentctl.errors import ProviderError
from agentctl.net.address import hide_secrets
from agentctl.net.client import Answer, HttpClient
from agentctl.net.failure import NetworkFailure

# What anybody reads of an answer's headers; the others may hold cookies and names of accounts.
KEPT_HEADERS = ("content-type", "location", "retry-after", "retry-after-ms")


class Exchange(NamedTuple):
    """One request and its answer; times are milliseconds since the run began.

    `status` is 0 where no answer came. `chunks` are the body as it was read, each with its time; `whole`
    says that it was read to its end, `failure` what broke it off.
    """

    url: str
    content: bytes
    at: int
    status: int
    headers: Mapping[str, str]
    chunks: tuple[tuple[int, bytes], ...]
    whole: bool
    failure: NetworkFailure | None = None


# Gets an exchange and the headers of its request, keys included.
Keep = Callable[[Exchange, Mapping[str, str]], None]


class RecordingClient(HttpClient):
    """Sends requests as usual; `keep` gets each exchange when it is over, `clock` is asked at each piece."""

    def __init__(self, url: str, *, keep: Keep, clock: Callable[[], int], **limits: Any) -> None:
        super().__init__(url, **limits)
        self._keep = keep
        self._clock = clock

    @asynccontextmanager
    async def post(self, url: str, *, headers: Mapping[str, str], content: bytes) -> AsyncIterator[Answer]:
        """As the client it is one of."""
        tape = _Tape(self._clock)
        try:
            async with super().post(url, headers=headers, content=content) as answer:
                tape.begin(answer)
                yield _TapedAnswer(answer, tape)
        except NetworkFailure as failure:
            tape.failure = failure
            raise
        finally:
            self._keep(tape.exchange(url, content), headers)


class ReplayingClient(HttpClient):
    """Sends nothing. `find` gives the exchange for a URL and a body, or raises; `move` sets the clock."""

    def __init__(
        self,
        url: str,
        *,
        find: Callable[[str, bytes], Exchange],
        move: Callable[[int], None],
        **_limits: Any,
    ) -> None:
        self._find = find
        self._move = move

    @asynccontextmanager
    async def post(self, url: str, *, headers: Mapping[str, str], content: bytes) -> AsyncIterator[Answer]:
        """The recorded answer to this very request, or what broke the recorded one off."""
        exchange = self._find(url, content)
        self._move(exchange.at)
        if exchange.status == 0:
            raise exchange.failure or _ended()
        yield _ReplayedAnswer(exchange, self._move)

    async def close(self) -> None:
        """Nothing is open."""


class _Tape:
    """What is known so far of one exchange."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._at: int | None = None
        self._status = 0
        self._headers: dict[str, str] = {}
        self._chunks: list[tuple[int, bytes]] = []
        self.whole = False
        self.failure: NetworkFailure | None = None

    def begin(self, answer: Answer) -> None:
        self._at = self._clock()
        self._status = answer.status
        self._headers = {name: answer.headers[name] for name in KEPT_HEADERS if name in answer.headers}

    def take(self, chunk: bytes) -> None:
        self._chunks.append((self._clock(), chunk))

    def exchange(self, url: str, content: bytes) -> Exchange:
        at = self._clock() if self._at is None else self._at
        return Exchange(
            url, content, at, self._status, self._headers, tuple(self._chunks), self.whole, self.failure
        )


class _TapedAnswer(Answer):
    def __init__(self, answer: Answer, tape: _Tape) -> None:
        super().__init__(answer._response, answer._client, answer.url)
        self._tape = tape

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        try:
            async with aclosing(super().chunks()) as chunks:
                async for chunk in chunks:
                    self._tape.take(chunk)
                    yield chunk
        except NetworkFailure as failure:
            self._tape.failure = failure
            raise
        self._tape.whole = True


class _ReplayedAnswer(Answer):
    def __init__(self, exchange: Exchange, move: Callable[[int], None]) -> None:
        self.status = exchange.status
        self.headers = exchange.headers
        self.url = hide_secrets(exchange.url)
        self._exchange = exchange
        self._move = move

    @property
    def location(self) -> str | None:
        target = self.headers.get("location")
        return hide_secrets(urljoin(self.url, target)) if target else None

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        for at, chunk in self._exchange.chunks:
            self._move(at)
            yield chunk
            # A signal and a reader that went away get their turn, as they do between two reads.
            await asyncio.sleep(0)
        if self._exchange.failure:
            raise self._exchange.failure
        if not self._exchange.whole:
            raise _ended()


def _ended() -> ProviderError:
    return ProviderError(
        "the recording ends in the middle of this answer: the recorded run went no further",
        hint="Record it anew with --record.",
    )
