"""`agentctl doctor`: what is wrong, and how to mend it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Outcome
from tests.loopback import Server, json_body

Run = Callable[..., Outcome]

FILE = """\
default_model: here/x
providers:
  - {{slug: here, kind: openai, base_url: '{url}/v1', api_key_env: HERE_KEY}}
agents:
  - {{slug: default, is_default: true}}
"""


@pytest.fixture
def declare(run: Run, tmp_path: Path) -> Callable[[str], None]:
    """Apply an agent on a model of a server."""

    def call(url: str) -> None:
        (tmp_path / "agents.yaml").write_text(FILE.format(url=url))
        run("apply --yes")

    return call


def examine(run: Run, **env: str) -> dict[str, dict[str, Any]]:
    """The findings by name; that on byte code depends on who runs the tests."""
    outcome = run("doctor -o json", code=None, env=env)
    return {row["check"]: row for row in outcome.json() if row["check"] != "byte code"}


def test_every_problem_comes_with_its_repair_and_exit_5(run: Run, declare: Callable[[str], None]) -> None:
    declare("http://127.0.0.1:9")
    outcome = run("doctor -o json", code=5)
    problems = [row for row in outcome.json() if row["status"] == "problem"]
    assert all(row["repair"] for row in problems)
    found = {row["check"]: row for row in problems}
    assert found["key of here"]["repair"].startswith("Set HERE_KEY")
    assert "connection refused" in found["provider here"]["detail"]
    assert "checks found a problem" in outcome.stderr


def test_a_provider_is_asked_without_its_key(run: Run, declare: Callable[[str], None]) -> None:
    with Server(json_body({"error": "no key"}, 401)) as server:
        declare(server.url)
        found = examine(run, HERE_KEY="sk-here-0123456789")
    assert found["provider here"]["status"] == "ok"
    assert found["key of here"] == {
        "check": "key of here",
        "status": "ok",
        "detail": "in HERE_KEY",
        "repair": None,
    }
    sent = json.dumps([dict(request.headers) for request in server.requests])
    assert server.requests
    assert "sk-here" not in sent


def test_a_key_in_the_output_of_a_command_is_not_asked_for(run: Run, tmp_path: Path) -> None:
    file = FILE.replace("api_key_env: HERE_KEY", "api_key_cmd: [touch, ran]").format(url="http://127.0.0.1:9")
    (tmp_path / "agents.yaml").write_text(file)
    run("apply --yes")
    assert examine(run)["key of here"]["status"] == "note"
    assert not (tmp_path / "ran").exists()


def test_drift_between_yaml_and_database_is_said(
    run: Run, declare: Callable[[str], None], tmp_path: Path
) -> None:
    declare("http://127.0.0.1:9")
    assert examine(run)["YAML"]["status"] == "ok"
    path = tmp_path / "agents.yaml"
    path.write_text(path.read_text().replace("is_default: true", "is_default: true, name: Other"))
    assert "update agent default" in examine(run)["YAML"]["detail"]
    path.write_text("agents: [{slug: Default}]")
    assert "agents.yaml:1:" in examine(run)["YAML"]["detail"]


def test_a_database_that_others_can_read_or_that_is_damaged_is_a_problem(
    run: Run, declare: Callable[[str], None], environ: dict[str, str]
) -> None:
    declare("http://127.0.0.1:9")
    path = Path(environ["AGENTCTL_HOME"]) / "agentctl.db"
    assert examine(run)["database"]["status"] == "ok"
    os.chmod(path, 0o644)
    assert examine(run)["permissions"]["repair"] == f"chmod 600 {path}"
    data = bytearray(path.read_bytes())
    data[8192:16384] = b"\xff" * 8192
    path.write_bytes(data)
    for rest in path.parent.glob("agentctl.db-*"):
        rest.unlink()
    found = examine(run)
    assert found["database"]["status"] == "problem"
    assert found["more"]["status"] == "note"


def test_a_model_that_nobody_knows_is_said(run: Run, declare: Callable[[str], None]) -> None:
    declare("http://127.0.0.1:9")
    found = examine(run, AGENTCTL_MODEL="nope/x")["model nope/x"]
    assert 'unknown provider "nope"' in found["detail"]
    assert "Known providers" in found["repair"]


def test_a_sound_installation_is_exit_0(run: Run, declare: Callable[[str], None]) -> None:
    with Server(json_body({})) as server:
        declare(server.url)
        outcome = run("doctor -o json", code=None, env={"HERE_KEY": "sk-here-0123456789"})
    problems = [row["check"] for row in outcome.json() if row["status"] == "problem"]
    assert problems in ([], ["byte code"])
    assert outcome.code == (5 if problems else 0)


def test_looking_makes_nothing(run: Run, environ: dict[str, str]) -> None:
    found = examine(run)
    assert not Path(environ["AGENTCTL_HOME"]).exists()
    assert found["model qwen2.5-coder-0.5b"]["repair"] == "agentctl models pull qwen2.5-coder-0.5b"


def test_yaml_that_was_never_applied_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text("agents: [{slug: a}]")
    assert examine(run)["YAML"]["repair"] == "agentctl apply"
