"""Runs watched from other processes: while they go on, after they ended, and where they were killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.domain.run import Run
from agentctl.store import Store
from tests.cli.test_endings import read_until
from tests.conftest import Outcome
from tests.render.test_event_schema import VALIDATOR
from tests.terminal import Terminal

Line = Callable[..., Outcome]
Script = Callable[..., str]
Start = Callable[..., subprocess.Popen[bytes]]

SLOW = {"reasoning": "Hm.", "text": ["一 ", "two ", "three ", *["more "] * 40], "chunk_delay": 0.05}
SILENT = {"text": "late", "delay": 60}
SAID = "一 two three " + ("more " * 40).rstrip()
ASKS = """
tools:
  - slug: note
    type: command
    needs_approval: true
    config:
      argv: [echo, '{text}']
      arguments: {text: {type: string, description: A line.}}
agents:
  - {slug: writer, tools: [note], title_strategy: none}
"""
HANGS = 20


def live_run(store: Store) -> Run:
    """The run that was just started by another process."""
    deadline = time.monotonic() + HANGS
    while True:
        runs = store.run_lists.live(store.users.ensure("tester").id)
        if runs:
            return runs[0]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def texts(stdout: bytes) -> str:
    """The deltas of a stream of events, joined."""
    events = map(json.loads, stdout.splitlines())
    return "".join(event["text"] for event in events if event["type"] == "message.delta")


def test_several_watchers_see_what_the_run_itself_shows(start: Start, script: Script, store: Store) -> None:
    chat = start(f"chat 'a b' -m {script(SLOW)}")
    run = live_run(store)
    early = start(f"attach {run.id}")
    read_until(chat, b"three")
    late = start("attach @last -o stream-json")
    outputs = [process.communicate(timeout=HANGS)[0] for process in (chat, early, late)]
    assert [process.returncode for process in (chat, early, late)] == [0, 0, 0]
    assert outputs[1].decode().rstrip() == SAID
    assert texts(outputs[2]).rstrip() == SAID
    assert json.loads(outputs[2].splitlines()[-1])["type"] == "result"


def test_text_comes_while_it_streams(start: Start, script: Script, store: Store) -> None:
    chat = start(f"chat 'a b' -m {script({**SLOW, 'text': ['one ', 'two ', *['more '] * 400]})}")
    watcher = start(f"attach {live_run(store).id}")
    assert b"one" in read_until(watcher, b"two")
    assert chat.poll() is None
    chat.terminate()
    assert watcher.wait(HANGS) == chat.wait(HANGS) == 143


def test_events_hold_the_schema_also_where_a_part_comes_again(run: Line, script: Script) -> None:
    lines = run(
        f"chat 'a b' -o stream-json -m {script({'reasoning': 'x y', 'text': ['a ', 'b ', 'c']})}"
    ).stdout
    numbers = [json.loads(line)["seq"] for line in lines.splitlines() if '"message.delta"' in line]
    replayed = run(f"attach @last -o stream-json --after {numbers[0]}").stdout.splitlines()
    for line in replayed:
        VALIDATOR.validate(json.loads(line))
    again = json.loads(replayed[0])
    assert (again["text"], again["seq"], again["replaces"]) == ("a b c", numbers[-1], True)


def test_a_watcher_that_reads_on_from_its_last_number_misses_nothing(
    start: Start, script: Script, store: Store
) -> None:
    chat = start(f"chat 'a b' -m {script(SLOW)}")
    run = live_run(store)
    first = start(f"attach {run.id} -o stream-json")
    seen = read_until(first, b"three")
    first.kill()
    lines = [json.loads(line) for line in seen.splitlines() if line.endswith(b"}")]
    second, _ = start(f"attach {run.id} -o stream-json --after {lines[-1]['seq']}").communicate(timeout=HANGS)
    chat.communicate(timeout=HANGS)
    joined = b"".join(json.dumps(line).encode() + b"\n" for line in lines) + second
    assert texts(joined).rstrip() == SAID
    assert b"replaces" not in second


def test_json_is_one_object_and_the_exit_code_is_that_of_the_run(run: Line, script: Script) -> None:
    run(f"chat 'a b' -m {script({'text': 'half', 'error': {'status': 400, 'message': 'no'}})}", code=13)
    result = run("attach @last -o json", code=13).json()
    assert (result["outcome"], result["result"]) == ("failed", "half")


def test_a_run_is_named_by_its_session_or_a_part_of_an_id(run: Line, script: Script, store: Store) -> None:
    run(f"chat 'a b' -m {script({'text': 'one'})}")
    found = store.runs.find(store.users.ensure("tester").id, "@last")
    for name in (found.id, found.id[-8:], found.session_id, found.session_id[-8:]):
        assert run(f"attach {name}").stdout == "one\n"
    outcome = run("attach zzzz9999", code=6)
    assert 'no run or session "zzzz9999"' in outcome.stderr
    run(f"attach {found.id} --user somebody", code=6)
    run(f"stop {found.id} --user somebody", code=6)


def test_last_is_a_run_that_goes_on_where_there_is_one(
    start: Start, agentctl: Line, script: Script, store: Store
) -> None:
    chat = start(f"chat 'a b' -m {script(SILENT)}")
    run = live_run(store)
    agentctl(f"chat 'c d' -m {script({'text': 'newer'}, name='newer.yaml')}")
    assert agentctl("stop @last").stdout.split("\t")[0] == run.id
    chat.communicate(timeout=HANGS)


def test_nothing_goes_on_so_last_is_the_newest(run: Line, script: Script) -> None:
    run("attach @last", code=6)
    run(f"chat 'a b' -m {script({'text': 'one'}, {'text': 'two'})}")
    run("chat -c next")
    assert run("attach @last").stdout == "two\n"


def test_a_run_that_was_killed_is_said_to_be_gone_and_goes_on(
    start: Start, agentctl: Line, script: Script, store: Store
) -> None:
    chat = start(f"chat 'a b' -m {script({**SLOW, 'text': ['one ', *['more '] * 30]})}")
    run = live_run(store)
    watcher = start(f"attach {run.id}")
    read_until(watcher, b"more")
    chat.kill()
    _, errors = watcher.communicate(timeout=HANGS)
    assert watcher.returncode == 75
    assert f"agentctl resume {run.id}" in errors.decode()
    agentctl(f"resume {run.id}")
    assert agentctl(f"attach {run.id}").stdout.endswith("one " + ("more " * 30).rstrip() + " \n")
    chat.communicate(timeout=HANGS)


def test_ctrl_c_ends_the_watching_and_not_the_run(start: Start, script: Script, store: Store) -> None:
    chat = start(f"chat 'a b' -m {script(SLOW)}")
    run = live_run(store)
    watcher = start(f"attach {run.id}")
    read_until(watcher, b"two")
    watcher.send_signal(signal.SIGINT)
    _, errors = watcher.communicate(timeout=HANGS)
    assert watcher.returncode == 130
    assert f"agentctl attach {run.id} --after " in errors.decode()
    assert chat.communicate(timeout=HANGS)[0].decode().rstrip() == SAID


def test_a_reader_that_goes_away_ends_the_watching_in_silence(
    start: Start, script: Script, store: Store
) -> None:
    chat = start(f"chat 'a b' -m {script(SLOW)}")
    watcher = start(f"attach {live_run(store).id}")
    read_until(watcher, b"two")
    assert watcher.stdout is not None
    assert watcher.stderr is not None
    watcher.stdout.close()
    errors = watcher.stderr.read().decode()
    assert watcher.wait(HANGS) == 141
    assert "error" not in errors
    assert chat.wait(HANGS) == 0


def test_a_pause_ends_the_watching_with_exit_four_and_no_later(
    run: Line, start: Start, script: Script, tmp_path: Path, store: Store
) -> None:
    (tmp_path / "agents.yaml").write_text(ASKS)
    run("apply --yes")
    call = {"text": "I note it.", "tool_calls": [{"name": "note", "arguments": {"text": "x"}}]}
    run(f"chat writer 'a b' -m {script(call, {'text': 'Not noted.'})}", code=4)
    assert run("attach @last", code=4).stdout == "I note it.\n"
    found = store.runs.find(store.users.ensure("tester").id, "@last")
    (approval,) = store.approvals.of_run(found.id)
    run(f"approvals deny {approval.id}")
    run("resume @last")
    assert run("attach @last").stdout == "I note it.\n\nNot noted.\n"
    assert run("attach @last -o json").json()["exit_code"] == 0


def test_what_is_left_behind_holds_no_pipe_and_can_be_watched(
    agentctl: Line, script: Script, store: Store
) -> None:
    before = time.monotonic()
    run_id = agentctl(f"chat 'a b' --detach -m {script(SLOW)}").stdout.strip()
    # Its stdout is a pipe that is read to its end, as a shell reads $(...).
    assert store.runs.get(run_id).status == "running" or time.monotonic() - before > 2
    assert agentctl(f"attach {run_id}").stdout.rstrip() == SAID


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_a_watcher_that_waits_needs_next_to_nothing(start: Start, script: Script, store: Store) -> None:
    chat = start(f"chat 'a b' -o stream-json -m {script(SILENT)}")
    watcher = start(f"attach {live_run(store).id} -o stream-json")
    read_until(watcher, b"init")
    before = cpu_seconds(watcher.pid)
    time.sleep(5)
    used = cpu_seconds(watcher.pid) - before
    resident = int(Path(f"/proc/{watcher.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    for process in (watcher, chat):
        process.kill()
        process.communicate(timeout=HANGS)
    assert used <= 0.05, "more than 1 % of a core"
    assert resident <= 40 * 2**20


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_ctrl_c_at_a_terminal_leaves_a_clean_line(
    start: Start, script: Script, store: Store, environ: dict[str, str], tmp_path: Path
) -> None:
    chat = start(f"chat 'a b' -m {script(SLOW)}")
    terminal = Terminal(f"attach {live_run(store).id}", cwd=tmp_path, environ=environ)
    terminal.wait_for("two")
    terminal.interrupt()
    assert terminal.end() == 130
    assert "\nerror: the watching was stopped by SIGINT; run ar_" in terminal.seen
    assert chat.wait(HANGS) == 0
    chat.communicate()
