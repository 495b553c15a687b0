"""A program ends with its call: in time, with everything it started, and with all that it said."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agentctl.tools.executor import execute

# Starts a child and a grandchild, tells their ids, and waits for ever. `{how}` is what they do on the way.
TREE = """
import os, signal, sys, time
{setup}
child = os.fork()
if child == 0:
    {leave}
    if os.fork() == 0:
        {setup}
        print(os.getpid(), flush=True)
        time.sleep(600)
    print(os.getpid(), flush=True)
    time.sleep(600)
print(os.getpid(), flush=True)
{end}
"""


def is_running(pid: int) -> bool:
    """Whether this process is more than a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def left_over(pids: list[int]) -> list[int]:
    """Those of `pids` that still run; they may take a moment to go."""
    for _ in range(100):
        if not any(map(is_running, pids)):
            return []
        time.sleep(0.02)
    return [pid for pid in pids if is_running(pid)]


def test_a_result_has_output_and_exit_code(python: Any) -> None:
    result = python("import sys; print('out 你好'); print('err', file=sys.stderr)")
    assert result.data == {"exit_code": 0, "stdout": "out 你好\n", "stderr": "err\n", "truncated": False}
    assert result.success


def test_another_exit_code_is_a_failure_with_all_that_was_said(python: Any) -> None:
    result = python("import sys; print('partial'); sys.exit('it broke')")
    assert not result.success
    assert result.error == f"{sys.executable} failed: exit code 1\nit broke"
    assert result.data == {"exit_code": 1, "stdout": "partial\n", "stderr": "it broke\n", "truncated": False}


def test_codes_that_are_declared_to_be_fine_are_fine(python: Any) -> None:
    assert python("raise SystemExit(1)", ok_codes=[0, 1]).data["exit_code"] == 1
    assert not python("raise SystemExit(0)", ok_codes=[1]).success


def test_a_signal_is_reported_as_shells_do(python: Any) -> None:
    result = python("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert (result.data["exit_code"], result.data["signal"]) == (139, "SIGSEGV")
    assert "it was ended by SIGSEGV" in result.error


def test_a_signal_without_a_name_is_reported_by_its_number(python: Any) -> None:
    result = python("import os; os.kill(os.getpid(), 40)")
    assert (result.data["exit_code"], result.data["signal"]) == (168, "signal 40")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"argv": ["no-such-program"]}, "there is no program no-such-program on PATH"),
        ({"argv": ["/no/such/program"]}, "there is no program /no/such/program"),
        ({"argv": ["/etc/passwd"]}, "there is no program /etc/passwd"),
        ({"argv": ["true"], "cwd": "gone"}, "does not exist"),
        ({"argv": ["true"], "cwd": "/no/such/folder"}, "the folder /no/such/folder does not exist"),
    ],
)
def test_a_program_that_cannot_start_says_why(run: Any, config: dict[str, Any], message: str) -> None:
    assert message in run(config).error


def test_a_file_that_is_no_program_is_said_to_be_none(run: Any, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("echo no interpreter named\n")
    script.chmod(0o755)
    assert run({"argv": [str(script)]}).error == f"{script} is no program (a script needs a #! line)"


def test_it_runs_in_the_folder_of_the_run_or_the_one_declared(run: Any, tmp_path: Path) -> None:
    (tmp_path / "sub 你").mkdir()
    argv = [sys.executable, "-c", "import os; print(os.getcwd())"]
    for cwd, folder in ((".", tmp_path), ("sub 你", tmp_path / "sub 你"), ("/", Path("/"))):
        assert run({"argv": argv, "cwd": cwd}).data["stdout"] == f"{folder}\n"


def test_stdin_is_empty_unless_declared_and_no_terminal_is_there(python: Any) -> None:
    code = "import os, sys; print(repr(sys.stdin.read()), os.getsid(0) == os.getpid()); open('/dev/tty')"
    result = python(code)
    assert result.data["stdout"] == "'' True\n"
    assert "/dev/tty" in result.data["stderr"]


def test_a_program_that_does_not_read_its_stdin_is_no_failure(run: Any) -> None:
    config = {"argv": ["true"], "arguments": {"a": {"max_length": 1_000_000}}, "stdin": "a"}
    assert run(config, a="x" * 1_000_000).data["exit_code"] == 0


def test_a_large_stdin_and_a_large_output_flow_at_the_same_time(run: Any) -> None:
    config = {
        "argv": ["cat"],
        "arguments": {"a": {"max_length": 3_000_000}},
        "stdin": "a",
        "max_bytes": 5_000_000,
    }
    text = "你" * 1_000_000
    assert run(config, a=text).data["stdout"] == text


def test_long_output_keeps_its_start_and_its_end(python: Any) -> None:
    code = "import sys; print('first', 'x' * 3_000_000, 'last'); print('e' * 999, file=sys.stderr)"
    data = python(code, max_bytes=300).data
    assert data["truncated"] is True
    assert data["stdout"].startswith("first xxx")
    assert data["stdout"].endswith("xxx last\n")
    assert "\n[... 2,999,712 bytes left out ...]\n" in data["stdout"]
    assert "\n[... 700 bytes left out ...]\n" in data["stderr"]


def test_a_cut_goes_through_no_character_and_bytes_that_are_no_text_are_marked(python: Any) -> None:
    data = python("print('你好' * 5_000)", max_bytes=101).data
    assert "\ufffd" not in data["stdout"]
    raw = python(r"import sys; sys.stdout.buffer.write(b'a\xff\xfeb')").data
    assert raw["stdout"] == "a\ufffd\ufffdb"


def test_endless_output_is_ended_by_its_size(run: Any) -> None:
    result = run({"argv": ["yes"], "timeout": 60, "max_bytes": 1_000})
    assert "it wrote more than 100 MB" in result.error
    assert result.data["exit_code"] is None
    assert len(result.data["stdout"]) < 1_100


@pytest.mark.parametrize(
    ("setup", "leave"),
    [
        ("pass", "pass"),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN)", "pass"),
        ("pass", "os.setsid()"),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN)", "os.setsid()"),
    ],
    ids=["plain", "ignores SIGTERM", "own session", "own session and ignores SIGTERM"],
)
def test_at_the_timeout_everything_it_started_is_ended(python: Any, setup: str, leave: str) -> None:
    started = time.monotonic()
    result = python(TREE.format(setup=setup, leave=leave, end="time.sleep(600)"), timeout=1)
    assert "it took longer than 1 s" in result.error
    assert time.monotonic() - started < 30
    pids = [int(line) for line in result.data["stdout"].split()]
    assert len(pids) == 3
    assert left_over(pids) == []


@pytest.mark.parametrize("leave", ["pass", "os.setsid()"])
def test_what_a_program_leaves_running_ends_with_the_call(python: Any, leave: str) -> None:
    end = "time.sleep(0.3); os._exit(0)"
    result = python(TREE.format(setup="pass", leave=leave, end=end), timeout=30)
    assert result.success, result.error
    assert result.metadata["duration_ms"] < 20_000
    pids = [int(line) for line in result.data["stdout"].split()]
    assert len(pids) == 3
    assert left_over(pids) == []


def test_a_program_may_end_itself_properly_when_it_is_asked_to(python: Any, tmp_path: Path) -> None:
    code = (
        "import signal, sys, time\n"
        "def end(*_): open('ended', 'w').close(); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "time.sleep(600)"
    )
    python(code, timeout=1)
    assert (tmp_path / "ended").exists()


def test_a_cancelled_call_ends_its_program(make: Any, context: Any, tmp_path: Path) -> None:
    code = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
    tool = make(argv=[sys.executable, "-c", code])

    async def main() -> None:
        task = asyncio.create_task(execute(tool, {}, context))
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert left_over([int((tmp_path / "pid").read_text())]) == []


def test_fifty_run_side_by_side_without_mixing(make: Any, context: Any) -> None:
    tool = make(argv=["cat", "-"], arguments={"a": {}}, stdin="a", timeout=60)

    async def main() -> list[Any]:
        return await asyncio.gather(*(execute(tool, {"a": f"number {n} 你"}, context) for n in range(50)))

    before = len(os.listdir("/proc/self/fd"))
    results = asyncio.run(main())
    assert [result.data["stdout"] for result in results] == [f"number {n} 你" for n in range(50)]
    # Fewer, where something older was collected meanwhile.
    assert len(os.listdir("/proc/self/fd")) <= before


def test_fifty_that_hang_end_together(make: Any, context: Any) -> None:
    tool = make(argv=["sh", "-c", "sleep 600 & sleep 600"], timeout=1)

    async def main() -> list[Any]:
        return await asyncio.gather(*(execute(tool, {}, context) for _ in range(50)))

    started = time.monotonic()
    assert all("it took longer" in result.error for result in asyncio.run(main()))
    assert time.monotonic() - started < 60


def test_the_environment_holds_what_is_needed_and_nothing_else(run: Any, variables: dict[str, str]) -> None:
    argv = [sys.executable, "-c", "import json, os; print(json.dumps(dict(os.environ)))"]
    found = json.loads(run({"argv": argv, "env": ["EXTRA", "UNSET", "GREETING=你好=x"]}).data["stdout"])
    assert found.pop("AGENTCTL_INSIDE_TOOL")
    found.pop("LC_CTYPE", None)  # set by Python itself in the C locale
    assert found == {**variables, "TERM": "dumb", "GREETING": "你好=x"}
    assert json.loads(run({"argv": argv}).data["stdout"]).get("EXTRA") is None
