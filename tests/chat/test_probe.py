"""The test of a model: two requests at most, each finding with its reason."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import ClassVar

import pytest

from agentctl.chat.probe import MAX_OUTPUT, Probe, probe
from agentctl.domain.message import Usage
from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.errors import CredentialsError
from agentctl.providers.base import Delta, Fault, ModelRequest, Reply, StreamItem, WireCall

MODEL = ResolvedModel("p/m", Provider("p", "fake"), Model("p/m", "p", "m"), "named")
CALL = WireCall("1", "add", {"a": 19, "b": 23}, '{"a":19,"b":23}', True)
WORDS = [Delta("text", "one "), Delta("text", "two"), Reply(text="one two", usage=Usage(5, 2))]
CALLED = [Reply(calls=(CALL,), finish="tool_calls", usage=Usage(7, 3))]


class FakeAdapter:
    """Plays one list of items after the other."""

    default_base_url: ClassVar[str | None] = None
    embedded: ClassVar[bool] = False
    inputs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, *plays: list[StreamItem], pause: float = 0.0, key: bool = True) -> None:
        self.requests: list[ModelRequest] = []
        self._plays = plays
        self._pause = pause
        self._key = key

    def check(self, model: Model) -> None:
        if not self._key:
            raise CredentialsError("no key for p: set P_KEY", hint="Set it.")

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        self.requests.append(request)
        await asyncio.sleep(self._pause)
        for item in self._plays[len(self.requests) - 1]:
            yield item

    async def close(self) -> None:
        pass


def run(adapter: FakeAdapter, seconds: float = 30.0) -> tuple[Probe, list[Usage | None]]:
    used: list[Usage | None] = []
    found = asyncio.run(probe(MODEL, adapter, seconds=seconds, record=used.append))  # type: ignore[arg-type]
    return found, used


def statuses(found: Probe) -> dict[str, str]:
    return {check.name: check.status for check in found.checks}


def detail(found: Probe, name: str) -> str:
    return next(check.detail for check in found.checks if check.name == name)


def test_a_model_that_does_everything_is_ok_after_two_bounded_requests() -> None:
    adapter = FakeAdapter(WORDS, CALLED)
    found, used = run(adapter)
    assert statuses(found) == dict.fromkeys(("reachable", "streaming", "tools", "usage"), "ok")
    assert [request.max_output for request in adapter.requests] == [MAX_OUTPUT] * 2
    assert [len(request.tools) for request in adapter.requests] == [0, 1]
    assert used == [Usage(5, 2), Usage(7, 3)]
    assert found.usage == Usage(12, 5)
    assert found.error is None


def test_what_a_model_answers_without_is_a_no_and_no_fault() -> None:
    found, used = run(FakeAdapter([Delta("text", "one"), Reply(text="one")], [Reply(text="42")]))
    assert statuses(found) == {"reachable": "ok", "streaming": "no", "tools": "no", "usage": "no"}
    assert "in one piece" in detail(found, "streaming")
    assert (found.error, found.usage, used) == (None, None, [None, None])


def test_a_wrong_call_is_shown() -> None:
    wrong = WireCall("1", "add", None, "{broken", False)
    found, _ = run(FakeAdapter(WORDS, [Reply(calls=(wrong,), finish="tool_calls")]))
    assert detail(found, "tools") == "it called add with {broken"


def test_a_model_that_only_thought_is_said_to_have() -> None:
    found, _ = run(FakeAdapter([Delta("reasoning", "hm"), Reply(finish="length")], CALLED))
    assert "thought too long" in detail(found, "streaming")
    assert found.first_delta_ms is not None


@pytest.mark.parametrize(("kind", "code"), [("temporary", 75), ("provider", 13), ("credentials", 7)])
def test_after_a_fault_nothing_more_is_asked(kind: str, code: int) -> None:
    fault = Fault(kind, "x", "it broke", True, hint="Mend it.")  # type: ignore[arg-type]
    adapter = FakeAdapter([Reply(finish="error", fault=fault)])
    found, _ = run(adapter)
    assert len(adapter.requests) == 1
    assert statuses(found) == {
        "reachable": "failed",
        "streaming": "skipped",
        "tools": "skipped",
        "usage": "skipped",
    }
    assert found.checks[0].hint == "Mend it."
    assert found.error is not None
    assert found.error.code == code


def test_a_refused_tool_is_the_fault_of_tools_alone() -> None:
    fault = Fault("provider", "x", "tools are not supported")
    found, _ = run(FakeAdapter(WORDS, [Reply(finish="error", fault=fault)]))
    assert statuses(found) == {"reachable": "ok", "streaming": "ok", "tools": "failed", "usage": "ok"}
    assert found.error is not None
    assert found.error.code == 13


def test_a_missing_key_ends_it_before_any_request() -> None:
    adapter = FakeAdapter(key=False)
    found, used = run(adapter)
    assert (adapter.requests, used) == ([], [])
    assert found.error is not None
    assert found.error.code == 7


def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    found, _ = run(FakeAdapter(WORDS, pause=60.0), seconds=0.05)
    assert found.error is not None
    assert found.error.code == 124
    assert "--timeout" in str(found.checks[0].hint)
