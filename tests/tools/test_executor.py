"""A call ends in a result, whatever the tool does."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest

from agentctl.domain.tool import ToolContext, ToolResult
from agentctl.tools.base import Services, ToolConfig, ToolError, ToolType
from agentctl.tools.executor import execute


@dataclass(frozen=True)
class Numbers:
    """Two of them."""

    a: int
    b: int = 1


class Fake(ToolType):
    """Does what it is told."""

    type = "uuid"  # one of ours runs here, and not in a process of its own
    description = "A fake."
    Arguments = Numbers

    def __init__(self, services: Services, answer: Any, timeout: float = 5.0) -> None:
        super().__init__(ToolConfig(timeout=timeout), services)
        self.answer = answer

    async def run(self, arguments: Numbers, context: ToolContext) -> Any:
        """Give, raise or await the answer."""
        answer = self.answer(arguments) if callable(self.answer) else self.answer
        if isinstance(answer, Exception):
            raise answer
        return await answer if asyncio.iscoroutine(answer) else answer


@pytest.fixture
def result(services: Services, context: ToolContext) -> Any:
    """Run a fake that gives this answer."""

    def run(answer: Any, arguments: Any = None, timeout: float = 5.0) -> ToolResult:
        tool = Fake(services, answer, timeout)
        return asyncio.run(execute(tool, {"a": 1} if arguments is None else arguments, context))

    return run


def test_a_result_holds_data_and_duration(result: Any) -> None:
    got = result(lambda numbers: {"sum": numbers.a + numbers.b}, {"a": 2, "b": "3"})
    assert got.success
    assert got.data == {"sum": 5}
    assert got.error is None
    assert set(got.metadata) == {"duration_ms"}
    assert got.metadata["duration_ms"] >= 0


def test_the_duration_is_the_time_that_passed(result: Any) -> None:
    assert result(lambda _: asyncio.sleep(0.2)).metadata["duration_ms"] >= 190


def test_wrong_arguments_never_reach_the_tool(result: Any) -> None:
    got = result(lambda _: pytest.fail("ran"), {"b": "x", "c": 1})
    assert not got.success
    assert got.error == 'wrong arguments: c: unknown; a: is required; b: must be a whole number, not "x"'


def test_a_tool_error_is_the_error_of_the_result(result: Any) -> None:
    got = result(ToolError("the moon is closed"))
    assert (got.success, got.error, got.data) == (False, "the moon is closed", None)


def test_an_unexpected_exception_is_a_failed_result_with_a_short_message(result: Any) -> None:
    got = result(KeyError("x" * 100_000))
    assert not got.success
    assert got.error.startswith("the tool failed unexpectedly (KeyError: 'xxx")
    assert len(got.error) <= 2_000


def test_a_call_that_takes_too_long_is_stopped(result: Any) -> None:
    got = result(lambda _: asyncio.sleep(30), timeout=0.1)
    assert got.error == "the call took longer than 0.1 s"


def test_a_timeout_of_the_tool_itself_is_not_taken_for_the_deadline(result: Any) -> None:
    assert "TimeoutError: inner" in result(TimeoutError("inner")).error


@pytest.mark.parametrize("data", [{1, 2}, float("nan"), object(), "\ud800", {"a": b"x"}])
def test_data_that_cannot_be_stored_as_json_is_a_failure(result: Any, data: Any) -> None:
    got = result(lambda _: data)
    assert not got.success
    json.dumps(got.as_dict(), ensure_ascii=False).encode()


def test_an_error_with_half_a_surrogate_pair_can_be_stored(result: Any) -> None:
    assert result(ToolError("bad \ud800")).error == "bad \ufffd"


def test_a_cancellation_passes_through(services: Services, context: ToolContext) -> None:
    async def main() -> None:
        task = asyncio.create_task(execute(Fake(services, lambda _: asyncio.sleep(30)), {"a": 1}, context))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
