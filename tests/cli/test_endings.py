"""Every way to end a run from outside: text is kept, and the session goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.store import Store
from tests.conftest import Outcome

Run = Callable[..., Outcome]
Script = Callable[..., str]
Start = Callable[..., subprocess.Popen[bytes]]

SLOW = {"text": ["one ", "two ", "three ", *["more "] * 200], "chunk_delay": 0.05}


def read_until(process: subprocess.Popen[bytes], wanted: bytes) -> bytes:
    """Read stdout until `wanted` has come."""
    assert process.stdout is not None
    seen = b""
    while wanted not in seen:
        piece = os.read(process.stdout.fileno(), 4096)
        assert piece, seen
        seen += piece
    return seen


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_keeps_the_partial_text_and_the_session_goes_on(
    start: Start, agentctl: Run, script: Script, number: int, code: int
) -> None:
    model = script(SLOW, {"text": "Here I go on."})
    process = start(f"chat 'a b' -m {model}")
    seen = read_until(process, b"three")
    process.send_signal(number)
    rest, err = process.communicate(timeout=30)
    assert process.returncode == code
    said = (seen + rest).decode()
    messages = agentctl("sessions messages @last -o json").json()
    assert messages[1]["status"] == "aborted"
    assert messages[1]["text"].startswith("one two three")
    assert said.endswith("\n")
    assert said.rstrip() == messages[1]["text"].rstrip()
    assert signal.Signals(number).name in err.decode()
    assert agentctl("chat -c 'go on'").stdout == "Here I go on.\n"


def test_the_last_event_reports_the_signal(start: Start, script: Script) -> None:
    process = start(f"chat 'a b' -o stream-json -m {script(SLOW)}")
    seen = read_until(process, b"three")
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=30)
    result = json.loads((seen + rest).splitlines()[-1])
    assert (result["type"], result["outcome"], result["exit_code"]) == ("result", "stopped", 130)
    assert result["result"].startswith("one two three")


def test_json_reports_the_signal_as_one_object(start: Start, agentctl: Run, script: Script) -> None:
    process = start(f"chat 'a b' -o json -m {script(SLOW)}")
    deadline = time.monotonic() + 30
    while not agentctl("sessions list -o json").json():
        assert time.monotonic() < deadline
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=30)
    assert json.loads(out)["exit_code"] == process.returncode == 143


def test_a_reader_that_goes_away_is_met_in_silence(start: Start, agentctl: Run, script: Script) -> None:
    process = start(f"chat 'a b' -m {script(SLOW, {'text': 'again'})}")
    read_until(process, b"two")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    assert process.wait(timeout=30) == 141
    assert b"Traceback" not in err
    assert b"error" not in err
    messages = agentctl("sessions messages @last -o json").json()
    assert messages[1]["status"] == "aborted"
    assert messages[1]["text"].startswith("one two")
    agentctl("chat -c again")


@pytest.mark.parametrize(
    "command",
    ["agents list", "--help", "tools list -o json", "chat 'a b' -o json -m {model}", "chat 'a b' -m {model}"],
)
def test_every_command_is_quiet_on_a_closed_pipe(start: Start, script: Script, command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = start(command.format(model=script({"text": "hi"})), stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=30)
    assert b"Traceback" not in err
    assert b"BrokenPipe" not in err
    assert process.returncode == 141


def test_after_kill_nine_the_next_turn_keeps_what_had_been_said(
    start: Start, agentctl: Run, script: Script, store: Store
) -> None:
    process = start(f"chat 'a b' -m {script(SLOW, {'text': 'still here'})}")
    read_until(process, b"more more more")
    time.sleep(0.2)
    process.kill()
    process.communicate(timeout=30)
    assert agentctl("chat -c 'are you there?'").stdout == "still here\n"
    messages = agentctl("sessions messages @last -o json").json()
    assert messages[1]["status"] == "interrupted"
    assert messages[1]["text"].startswith("one two three more")
    runs = agentctl("sessions show @last -o json").json()["runs"]
    assert [run["status"] for run in runs] == ["interrupted", "done"]


LONG = {"text": ["x" * 70_000, "y" * 70_000, "z" * 70_000]}


@pytest.mark.parametrize(("flags", "number", "code"), [("", signal.SIGINT, 130), ("--timeout 1", None, 124)])
def test_a_reader_that_stands_still_holds_up_no_signal_and_no_time_limit(
    start: Start, agentctl: Run, script: Script, flags: str, number: int | None, code: int
) -> None:
    reader, writer = os.pipe()
    try:
        process = start(f"chat 'a b' {flags} -m {script(LONG)}", stdout=writer)
        os.close(writer)
        if number is not None:
            deadline = time.monotonic() + 30
            while not agentctl("sessions list -o json").json():
                assert time.monotonic() < deadline
            time.sleep(0.5)
            process.send_signal(number)
        process.communicate(timeout=30)
    finally:
        os.close(reader)
    assert process.returncode == code
    assert agentctl("sessions show -o json").json()["runs"][0]["status"] in ("aborted", "done")


def test_a_slow_reader_gets_everything(start: Start, script: Script) -> None:
    process = start(f"chat 'a b' -m {script(LONG)}")
    assert process.stdout is not None
    time.sleep(1)
    assert len(process.stdout.read()) == 210_001
    process.communicate(timeout=30)
    assert process.returncode == 0


@pytest.mark.parametrize("flags", ["", "-o json", "-o stream-json"])
def test_a_full_disk_behind_stdout_is_said_and_the_session_goes_on(
    start: Start, agentctl: Run, script: Script, flags: str
) -> None:
    with open("/dev/full", "wb") as full:
        process = start(f"chat 'a b' {flags} -m {script({'text': 'hi'}, {'text': 'again'})}", stdout=full)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 141
    assert b"No space left" in err
    assert b"bug" not in err
    assert agentctl("chat -c more").stdout in ("hi\n", "again\n")


@pytest.mark.parametrize("line", ["--version", "agents list", "chat 'a b' -o json -m {model}"])
def test_a_missing_stdout_is_no_crash(environ: dict[str, str], script: Script, line: str) -> None:
    command = line.format(model=script({"text": "hi"}))
    process = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m agentctl {command} >&-"],
        env={**environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert process.returncode == 0, process.stderr


@pytest.mark.parametrize("words", [b"caf\xe9 x", b"coder \xff"])
def test_an_argument_that_is_no_text_is_a_usage_error(environ: dict[str, str], words: bytes) -> None:
    process = subprocess.run(
        [sys.executable.encode(), b"-m", b"agentctl", b"chat", words],
        env={**environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert process.returncode == 2
    assert b"argument 2 is not UTF-8" in process.stderr


def test_a_second_process_on_a_busy_session_is_told_who_holds_it(
    start: Start, agentctl: Run, script: Script
) -> None:
    process = start(f"chat 'a b' -m {script(SLOW)}")
    read_until(process, b"one")
    outcome = agentctl("chat -c hello -o json", code=10)
    assert f"process {process.pid}" in outcome.json()["error"]["message"]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)


def test_a_signal_that_was_ignored_on_purpose_stays_ignored(start: Start, script: Script) -> None:
    model = script({"text": ["one ", "two"], "chunk_delay": 0.5})
    process = start(f"chat 'a b' -m {model}", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    seen = read_until(process, b"one")
    process.send_signal(signal.SIGHUP)
    rest, _ = process.communicate(timeout=30)
    assert (process.returncode, seen + rest) == (0, b"one two\n")


def test_the_message_and_the_run_are_stored_before_the_first_answer(
    start: Start, agentctl: Run, script: Script
) -> None:
    process = start(f"chat 'a b' -m {script({'text': 'late', 'delay': 30})}")
    deadline = time.monotonic() + 30
    while not (sessions := agentctl("sessions list -o json").json()):
        assert time.monotonic() < deadline
    (message,) = agentctl(f"sessions messages {sessions[0]['id']} -o json").json()
    assert message["text"] == "a b"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 143
