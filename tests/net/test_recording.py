from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

import pytest

from agentctl.errors import ProviderError
from agentctl.net.client import HttpClient
from agentctl.net.failure import NetworkFailure
from agentctl.net.recording import Exchange, RecordingClient, ReplayingClient
from tests.loopback import Response, Server

HEADERS = {"authorization": "Bearer sk-secret"}


async def post(client: HttpClient, url: str, *, pieces: int = 1_000) -> list[bytes]:
    """The first pieces of the answer's body, as they are read."""
    read: list[bytes] = []
    try:
        async with client.post(url, headers=HEADERS, content=b"{}") as answer:
            assert answer.content_type == "text/event-stream"
            async for chunk in answer.chunks():
                read.append(chunk)
                if len(read) == pieces:
                    break
    finally:
        await client.close()
    return read


def record(answer: Response, *, pieces: int = 1_000) -> tuple[list[bytes], Exchange]:
    """What was read of an answer, and what was kept of it."""
    kept: list[tuple[Exchange, Mapping[str, str]]] = []
    times = iter(range(10, 1_000, 10))

    def keep(exchange: Exchange, headers: Mapping[str, str]) -> None:
        kept.append((exchange, headers))

    read: list[bytes] = []
    with Server(answer) as server:
        url = f"{server.url}/v1?key=secret"
        client = RecordingClient(url, keep=keep, clock=lambda: next(times), connect_timeout=5.0)
        with suppress(NetworkFailure):
            read = asyncio.run(post(client, url, pieces=pieces))
    ((exchange, headers),) = kept
    assert headers == HEADERS
    return read, exchange


def replay(exchange: Exchange, *, pieces: int = 1_000) -> tuple[list[bytes], list[int]]:
    """What is read of a replayed answer, and how the clock was set."""
    times: list[int] = []

    def find(url: str, content: bytes) -> Exchange:
        assert content == b"{}"
        return exchange

    client = ReplayingClient("http://nowhere", find=find, move=times.append)
    return asyncio.run(post(client, "http://nowhere/v1", pieces=pieces)), times


def test_an_answer_comes_again_in_the_same_pieces_at_the_same_times() -> None:
    read, exchange = record(Response([b"data: \xe6", 0.05, b"\x99\xb4\n\n"]))
    assert b"".join(read) == b"data: \xe6\x99\xb4\n\n"
    assert exchange.whole
    assert replay(exchange) == (read, [10, *(at for at, _ in exchange.chunks)])


def test_a_connection_that_broke_breaks_at_the_same_place() -> None:
    _, exchange = record(Response([b"half"], cut=True))
    with pytest.raises(NetworkFailure, match="broke") as caught:
        replay(exchange)
    assert caught.value.retryable


def test_a_server_that_sent_nothing_sends_nothing() -> None:
    _, exchange = record(Response(drop=True))
    assert exchange.status == 0
    with pytest.raises(NetworkFailure, match="without sending"):
        replay(exchange)


def test_an_answer_that_was_left_can_be_left_but_not_read_on() -> None:
    read, exchange = record(Response([b"one", 0.05, b"two", 0.05, b"three"]), pieces=1)
    assert not exchange.whole
    assert replay(exchange, pieces=1)[0] == read
    with pytest.raises(ProviderError, match="ends in the middle"):
        replay(exchange)


def test_only_headers_that_somebody_reads_are_kept() -> None:
    headers = {"content-type": "text/event-stream", "set-cookie": "id=1", "retry-after": "3"}
    _, exchange = record(Response([b"x"], headers=headers))
    assert dict(exchange.headers) == {"content-type": "text/event-stream", "retry-after": "3"}
