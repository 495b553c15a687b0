from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, ClassVar

import pytest

from agentctl.domain.model import Model, Provider
from agentctl.errors import ConfigError
from agentctl.providers.attempts import stream_with_retries
from agentctl.providers.base import Delta, Fault, ModelRequest, Notice, Reply, Runtime, StreamItem
from agentctl.providers.openai_chat.adapter import OpenAIChatAdapter
from tests.loopback import Response, Server, json_body, said
from tests.providers.asking import make_request

BUSY = Fault("temporary", "rate_limit", "slow down", retryable=True, status=429)


class Player:
    """Plays one list of items per request."""

    default_base_url: ClassVar[str | None] = None
    embedded: ClassVar[bool] = False

    def __init__(self, *plays: Sequence[StreamItem]) -> None:
        self.plays = list(plays)
        self.closed = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        try:
            for item in self.plays.pop(0):
                yield item
        finally:
            self.closed += 1

    def check(self, model: Model) -> None:
        pass

    async def close(self) -> None:
        pass


def failing(fault: Fault = BUSY) -> list[StreamItem]:
    return [Reply(finish="error", fault=fault)]


def run(adapter: Any, **options: Any) -> tuple[list[StreamItem], list[float]]:
    """The items, and the waits between the attempts."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def collect() -> list[StreamItem]:
        return [
            item async for item in stream_with_retries(adapter, make_request(), **{"sleep": sleep, **options})
        ]

    return asyncio.run(collect()), waits


def test_an_answer_at_once_is_passed_through() -> None:
    items: list[StreamItem] = [Notice("load", "loading"), Delta("text", "Hi"), Reply("Hi")]
    assert run(Player(items)) == (items, [])


def test_a_passing_fault_is_tried_again_after_a_notice() -> None:
    items, waits = run(Player(failing(), [Delta("text", "Hi"), Reply("Hi")]), chance=lambda: 0.4)
    assert items == [
        Notice("retry", "retrying in 0.6 s: 429 from mine"),
        Delta("text", "Hi"),
        Reply("Hi"),
    ]
    assert waits == [pytest.approx(0.55)]


def test_three_attempts_are_all() -> None:
    items, waits = run(Player(failing(), failing(), failing()), chance=lambda: 0.0)
    assert [type(item) for item in items] == [Notice, Notice, Reply]
    assert items[-1] == Reply(finish="error", fault=BUSY)
    assert waits == [0.5, 1.0]


def test_nothing_is_tried_again_once_something_was_shown() -> None:
    items: list[StreamItem] = [Delta("reasoning", "hm"), *failing()]
    assert run(Player(items)) == (items, [])


def test_a_lasting_fault_is_not_tried_again() -> None:
    quota = Fault("credentials", "quota", "no money", status=429)
    assert run(Player(failing(quota))) == (failing(quota), [])


def test_the_wish_of_the_server_is_kept_up_to_a_minute() -> None:
    wish = Fault("temporary", "x", "x", retryable=True, retry_after=7)
    _, waits = run(Player(failing(wish), [Reply("Hi")]))
    assert 7 <= waits[0] < 7.2
    wish = Fault("temporary", "x", "x", retryable=True, retry_after=120)
    ((reply,), waits) = run(Player(failing(wish)))
    assert isinstance(reply, Reply)
    assert reply.fault is not None
    assert (reply.fault.hint, waits) == ("The provider asks to wait 120 s.", [])


def test_a_wait_that_would_pass_the_deadline_is_not_begun() -> None:
    assert run(Player(failing()), deadline=100.4, now=lambda: 100.0) == (failing(), [])
    assert len(run(Player(failing(), [Reply("Hi")]), deadline=101.0, now=lambda: 100.0)[1]) == 1


def test_a_fault_keeps_what_came_with_it() -> None:
    reply = Reply(finish="error", fault=BUSY, replay={"a": 1})
    assert run(Player([reply]), attempts=1) == ([reply], [])


def test_an_exception_is_not_a_fault() -> None:
    class Broken(Player):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
            raise ConfigError("bad option")
            yield

    with pytest.raises(ConfigError, match="bad option"):
        run(Broken())


def test_a_wait_can_be_cancelled_and_the_failed_request_is_closed_before() -> None:
    player = Player(failing(), failing())

    async def wait_and_cancel() -> None:
        waiting = asyncio.Event()

        async def sleep(seconds: float) -> None:
            waiting.set()
            await asyncio.sleep(60)

        async def consume() -> None:
            async for _ in stream_with_retries(player, make_request(), sleep=sleep):
                pass

        task = asyncio.create_task(consume())
        await waiting.wait()
        assert player.closed == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(wait_and_cancel())
    assert len(player.plays) == 1


def test_closing_in_the_middle_closes_the_request() -> None:
    player = Player([Delta("text", "a"), Delta("text", "b")])

    async def take_one() -> None:
        async with aclosing(stream_with_retries(player, make_request())) as items:
            await anext(items)

    asyncio.run(take_one())
    assert player.closed == 1


def test_a_real_server_that_recovers_gives_its_answer(runtime: Runtime) -> None:
    busy = json_body({"error": {"message": "slow down", "type": "rate_limit"}}, 429, retry_after_ms="5")
    dropped = Response(drop=True)
    with Server(busy, dropped, Response(said("Hello"))) as server:
        adapter = OpenAIChatAdapter(Provider("mine", "openai", server.url), runtime)
        items, waits = run(adapter, chance=lambda: 0.0)
    first, second = [item.message for item in items if isinstance(item, Notice)]
    assert first == "retrying in 0.0 s: 429 from mine"
    assert second.startswith(f"retrying in 1.0 s: the connection to {server.url}/v1/chat/completions broke: ")
    assert items[-1] == Reply("Hello")
    assert waits == [0.005, 1.0]
