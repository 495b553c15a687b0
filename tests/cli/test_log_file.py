"""`--log-file`: what a command did, as JSON lines, without secrets."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import Outcome
from tests.loopback import Response, Server, json_body, said

Run = Callable[..., Outcome]

KEY = "sk-here-0123456789abcdef"
FILE = """\
providers:
  - {{slug: here, kind: openai, base_url: '{url}/v1', api_key_env: HERE_KEY}}
agents:
  - {{slug: default, is_default: true, title_strategy: none}}
"""


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_chat_leaves_its_start_requests_events_and_end(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "chat.log"
    with Server(
        json_body({"error": {"message": "slow"}}, 429, retry_after="0"), Response(said("你好"))
    ) as server:
        (tmp_path / "agents.yaml").write_text(FILE.format(url=server.url))
        run("apply --yes")
        outcome = run(f"chat 'a b' -m here/x --log-file {log}", env={"HERE_KEY": KEY})
    assert outcome.stdout == "你好\n"
    lines = read(log)
    assert [line["event"] for line in lines] == [
        "start",
        "init",
        "request",
        "warning",
        "request",
        "message",
        "result",
        "end",
    ]
    assert lines[0]["command"] == "agentctl chat"
    assert [line["status"] for line in lines if line["event"] == "request"] == [429, 200]
    assert lines[5]["text"] == "你好"
    assert lines[-1]["exit_code"] == 0
    assert {line["pid"] for line in lines} == {os.getpid()}
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_failure_is_written_down_and_no_key_is(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "chat.log"
    with Server(
        json_body({"error": {"message": f"bad key {KEY}"}}, 401), Response(said(f"it is {KEY}"))
    ) as server:
        (tmp_path / "agents.yaml").write_text(FILE.format(url=server.url))
        run("apply --yes")
        run(f"--log-file {log} chat 'a b' -m here/x", code=7, env={"HERE_KEY": KEY})
        run(f"--log-file {log} chat 'what is {KEY}?' -m here/x", env={"HERE_KEY": KEY})
        run(f"--log-file {log} sessions show nowhere", code=6)
    lines = read(log)
    assert [line["exit_code"] for line in lines if line["event"] == "end"] == [7, 0, 6]
    assert lines[-1]["error"] == {"kind": "not_found", "message": 'no session "nowhere"'}
    assert KEY not in log.read_text()
    assert "it is ***" in log.read_text()


def test_a_log_file_that_cannot_be_written_is_said_before_anything_happens(run: Run, tmp_path: Path) -> None:
    outcome = run(f"chat 'a b' -m openai/x --log-file {tmp_path}", code=5)
    assert "cannot write the log file" in outcome.stderr
    assert "--log-file" in outcome.stderr
    assert not (tmp_path / "home" / "agentctl.db").exists()


def test_a_full_disk_behind_the_log_ends_no_run(run: Run, script: Callable[..., str]) -> None:
    assert run(f"chat 'a b' -m {script({'text': 'hi'})} --log-file /dev/full").stdout == "hi\n"
