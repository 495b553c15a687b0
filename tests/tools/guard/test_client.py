"""Guarded calls: what comes back, and how a call ends that does not want to."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from agentctl.tools.failure import ToolError, ToolTimeoutError
from agentctl.tools.guard.client import run_guarded
from tests.tools.guard.processes import guards_of, is_alive, living_below, wait_until

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks at processes through /proc"
)

GARBAGE = """
import os
for fd in range(3, 30):
    try:
        os.write(fd, b"garbage" * 10)
    except OSError:
        pass
"""
TAKE_MEMORY = "x = [0] * 10\nwhile True: x += x"
SWALLOW_EVERYTHING = """
while True:
    try:
        while True: pass
    except BaseException:
        pass
"""


def guarded(target: str, argument: Any, timeout: float = 10.0, memory: int = 256) -> Any:
    """The result of one call in a loop of its own."""
    return asyncio.run(run_guarded(target, argument, timeout=timeout, memory=memory))


def test_a_result_comes_back_as_json() -> None:
    assert guarded("builtins:sorted", [3, 1, 2]) == [1, 2, 3]
    assert guarded("builtins:str", "时区 🎉") == "时区 🎉"
    assert guarded("builtins:print", "x") is None


def test_a_large_argument_and_a_large_result_pass() -> None:
    text = "é" * 1_000_000
    assert guarded("builtins:str", text) == text


def test_the_server_serves_one_event_loop_after_another() -> None:
    assert [guarded("builtins:len", "x" * count) for count in range(3)] == [0, 1, 2]


def test_a_hanging_child_is_stopped_at_the_deadline() -> None:
    started = time.monotonic()
    with pytest.raises(ToolTimeoutError, match=r"the call took longer than 0\.5 s"):
        guarded("time:sleep", 60, timeout=0.5)
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("code", ["while True: pass", SWALLOW_EVERYTHING, "(9**9**7) ** 999"])
def test_a_busy_child_is_stopped_at_the_deadline(code: str) -> None:
    with pytest.raises(ToolTimeoutError):
        guarded("builtins:exec", code, timeout=0.3)


@pytest.mark.parametrize(
    ("target", "argument", "message"),
    [
        ("os:_exit", 3, r"ended without an answer \(exit code 3\)"),
        ("signal:raise_signal", int(signal.SIGSEGV), r"crashed \(SIGSEGV\)"),
        ("signal:raise_signal", int(signal.SIGKILL), "killed by the system"),
        ("builtins:exec", GARBAGE, "no readable answer"),
        ("builtins:exec", "raise SystemExit(4)", r"the tool failed unexpectedly \(SystemExit: 4\)"),
        ("builtins:exec", "global f\ndef f(): f()\nf()", "RecursionError"),
        ("builtins:set", [1], "not JSON serializable"),
        ("builtins:nothing", 1, "AttributeError"),
        ("no.such.module:f", 1, "ModuleNotFoundError"),
        ("agentctl.tools.calculator.evaluation:calculate", "1/0", "^division by zero$"),
    ],
)
def test_every_way_to_end_has_a_message(target: str, argument: Any, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        guarded(target, argument)
    assert guarded("builtins:len", "ok") == 2


@pytest.mark.skipif(not Path("/proc").exists(), reason="memory limits hold on Linux")
@pytest.mark.parametrize(
    ("target", "argument"), [("builtins:bytearray", 10**9), ("builtins:exec", TAKE_MEMORY)]
)
def test_a_child_that_wants_too_much_memory_is_told_apart(target: str, argument: Any) -> None:
    with pytest.raises(ToolError, match="needed more than 100 MB"):
        guarded(target, argument, memory=100)


def test_a_result_that_is_too_large_is_refused() -> None:
    with pytest.raises(ToolError, match="larger than 8 MB"):
        guarded("builtins:eval", "'x' * 9_000_000")


def test_fifty_calls_at_once_all_get_their_own_answer() -> None:
    async def main() -> list[int]:
        calls = (run_guarded("builtins:len", "x" * count, timeout=10) for count in range(50))
        return list(await asyncio.gather(*calls))

    assert asyncio.run(main()) == list(range(50))


def test_hundreds_of_calls_in_quick_succession_all_get_their_own_answer() -> None:
    async def one_after_another() -> list[int]:
        return [await run_guarded("builtins:len", "x" * count, timeout=10) for count in range(60)]

    async def main() -> list[list[int]]:
        return await asyncio.gather(*(one_after_another() for _ in range(6)))

    assert asyncio.run(main()) == [list(range(60))] * 6


def test_hanging_calls_among_others_only_fail_themselves() -> None:
    async def main() -> list[Any]:
        calls = [
            run_guarded("time:sleep", 60, timeout=0.3)
            if count % 5 == 0
            else run_guarded("builtins:len", "x" * count, timeout=10)
            for count in range(20)
        ]
        return await asyncio.gather(*calls, return_exceptions=True)

    for count, result in enumerate(asyncio.run(main())):
        assert isinstance(result, ToolTimeoutError) if count % 5 == 0 else result == count


@needs_proc
def test_a_cancelled_call_kills_its_child() -> None:
    async def main() -> None:
        await run_guarded("builtins:len", "", timeout=5)
        (server,) = guards_of(os.getpid())
        task = asyncio.create_task(run_guarded("time:sleep", 300, timeout=600))
        assert await asyncio.to_thread(wait_until, lambda: living_below(server))
        children = living_below(server)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert wait_until(lambda: not any(map(is_alive, children)))

    asyncio.run(main())


@needs_proc
def test_a_killed_server_is_replaced() -> None:
    guarded("builtins:len", "")
    (server,) = guards_of(os.getpid())
    os.kill(server, signal.SIGKILL)
    assert wait_until(lambda: not is_alive(server))
    assert guarded("builtins:len", "again") == 5
    assert guards_of(os.getpid()) != {server}


@needs_proc
def test_a_call_whose_server_dies_under_it_ends_with_an_error() -> None:
    async def main() -> None:
        await run_guarded("builtins:len", "", timeout=5)
        (server,) = guards_of(os.getpid())
        task = asyncio.create_task(run_guarded("time:sleep", 300, timeout=600))
        assert await asyncio.to_thread(wait_until, lambda: living_below(server))
        for pid in (*living_below(server), server):
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(ToolError):
            await task

    asyncio.run(main())


@needs_proc
def test_a_child_holds_nothing_of_ours_open(tmp_path: Path) -> None:
    kept = os.open(tmp_path / "kept", os.O_CREAT | os.O_RDWR)
    os.set_inheritable(kept, True)
    os_module = "__import__('os')"
    link = "f'/proc/self/fd/{fd}'"
    code = f"[{os_module}.readlink({link}) for fd in range(200) if {os_module}.path.islink({link})]"
    try:
        guarded("builtins:exec", "pass")
        servers = guards_of(os.getpid())
        for server in servers:
            os.kill(server, signal.SIGKILL)  # so that the next one starts while the file is open
        assert wait_until(lambda: not any(map(is_alive, servers)))
        links = guarded("builtins:eval", code)
    finally:
        os.close(kept)
    assert links[:3] == ["/dev/null"] * 3
    assert len(links) == 4
    assert links[3].startswith("socket:")
