"""An agent with a declared program: approved by a person, without keys, unable to approve anything."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.config import INSIDE_TOOL
from agentctl.tools.command.environment import MARKER
from tests.conftest import Outcome
from tests.terminal import Terminal

ROOT = Path(__file__).parents[2]

Run = Callable[..., Outcome]
Script = Callable[..., str]

AGENT = {"slug": "default", "is_default": True, "title_strategy": "none"}
DONE = {"text": "Done."}


def declare(folder: Path, config: dict[str, Any], **tool: Any) -> None:
    """Write agents.yaml with one tool `program` (YAML is a superset of JSON)."""
    declared = {
        "tools": [{"slug": "program", "type": "command", "config": config, **tool}],
        "agents": [{**AGENT, "tools": ["program"]}],
    }
    (folder / "agents.yaml").write_text(json.dumps(declared))


def calling(**arguments: Any) -> dict[str, Any]:
    """A reply that calls the program."""
    return {"tool_calls": [{"name": "program", "arguments": arguments}]}


def output_of(run: Run) -> dict[str, Any]:
    """What the program gave in the newest session."""
    messages = run("sessions messages @last -o json").json()
    parts = [part for message in messages for part in message["parts"] if part["type"] == "tool_output"]
    assert parts[-1]["success"], parts[-1]["text"]
    # The words of strangers stand between marks.
    text = parts[-1]["text"]
    result: dict[str, Any] = json.JSONDecoder().raw_decode(text, text.index('{"exit_code"'))[0]
    return result


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit, in the folder of the run."""
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for words in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "first 提交"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_git_log_runs_after_one_approval_and_sees_no_key(
    repository: Path, environ: dict[str, str], run: Run, script: Script
) -> None:
    declare(
        repository,
        {
            "argv": ["git", "-c", "alias.show-all=!env; git log --format=%s -n{count}", "show-all"],
            "arguments": {"count": {"type": "integer", "default": 5}},
        },
    )
    # An alias of git is a script of its shell, which is the author's business; here it shows the environment.
    run("apply --yes")
    keys = {"OPENAI_API_KEY": "sk-secret-of-ada", "ANTHROPIC_API_KEY": "another-secret"}
    person = Terminal(
        f"chat 'what was done?' -m {script(calling(count=1), DONE)}",
        cwd=repository,
        environ={**environ, **keys},
    )
    person.wait_for("[q] stop?")
    person.type("y\n")
    assert person.end() == 0
    seen = output_of(run)
    assert "first 提交" in seen["stdout"]
    assert "secret" not in seen["stdout"]
    assert environ["AGENTCTL_HOME"] not in seen["stdout"]
    variables = {line.partition("=")[0] for line in seen["stdout"].splitlines()}
    assert {name for name in variables if name.startswith("AGENTCTL_")} == {"AGENTCTL_INSIDE_TOOL"}


def test_where_nobody_can_be_asked_the_program_does_not_run(run: Run, script: Script, tmp_path: Path) -> None:
    declare(tmp_path, {"argv": ["touch", "ran"]})
    run("apply --yes")
    run(f"chat 'go on' -m {script(calling(), DONE)}", code=4)
    assert not (tmp_path / "ran").exists()


def test_a_program_that_only_reads_is_not_asked_about(run: Run, script: Script, tmp_path: Path) -> None:
    declare(tmp_path, {"argv": ["echo", "你好"], "read_only": True})
    run("apply --yes")
    run(f"chat 'go on' -m {script(calling(), DONE)}")
    assert output_of(run) == {"exit_code": 0, "stdout": "你好\n", "stderr": "", "truncated": False}


def test_a_failing_program_fails_its_call_and_the_model_reads_why(
    run: Run, script: Script, tmp_path: Path
) -> None:
    declare(tmp_path, {"argv": ["sh", "-c", "echo so far; echo broken >&2; exit 7"], "read_only": True})
    run("apply --yes")
    result = run(f"chat 'go on' -o json -m {script(calling(), DONE)}").json()
    assert result["tool_calls"][0]["success"] is False
    assert result["tool_calls"][0]["error"] == "sh failed: exit code 7\nbroken"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("apply", "apply"),
        ("apply --dry-run", "apply"),
        ("keys set openai", "keys"),
        ("keys list", "keys"),
        ("--quiet keys delete openai --yes", "keys"),
        ("chat hello --yes", "--yes"),
        ("models rm x --yes", "--yes"),
        ("providers create x --kind openai", "providers create"),
        ("tools enable calculator", "tools enable"),
    ],
)
def test_what_consents_is_refused_inside_a_tool(run: Run, line: str, named: str) -> None:
    outcome = run(line, code=3, env={"AGENTCTL_INSIDE_TOOL": "x"})
    assert f"{named} is refused to programs that a tool has started" in outcome.stderr


@pytest.mark.parametrize(
    "line", ["tools list", "validate", "plan", "models list", "sessions list", "init other"]
)
def test_what_only_reads_works_inside_a_tool(run: Run, line: str) -> None:
    run("init")
    run(line, env={"AGENTCTL_INSIDE_TOOL": "x"})


def test_nobody_is_asked_inside_a_tool_even_at_a_terminal(
    environ: dict[str, str], run: Run, script: Script, tmp_path: Path
) -> None:
    declare(tmp_path, {"argv": ["touch", "ran"]})
    run("apply --yes")
    inside = {**environ, "AGENTCTL_INSIDE_TOOL": "x"}
    person = Terminal(f"chat 'go on' -m {script(calling(), DONE)}", cwd=tmp_path, environ=inside)
    assert person.end() == 4
    assert "[q] stop?" not in person.seen
    assert not (tmp_path / "ran").exists()


def test_a_program_of_a_tool_that_calls_agentctl_can_consent_to_nothing(
    run: Run, script: Script, tmp_path: Path
) -> None:
    line = shlex.join([sys.executable, "-m", "agentctl", "--db", str(tmp_path / "x.db"), "apply", "--yes"])
    declare(tmp_path, {"argv": ["sh", "-c", f"{line} 2>&1; echo $?"], "read_only": True, "timeout": 60})
    run("apply --yes")
    run(f"chat 'go on' -m {script(calling(), DONE)}")
    assert "apply is refused to programs" in output_of(run)["stdout"]
    assert output_of(run)["stdout"].endswith("\n3\n")


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "MY_KEY", "HEADER_KEY"])
def test_no_tool_passes_a_providers_key_on(run: Run, tmp_path: Path, name: str) -> None:
    provider = {
        "slug": "mine",
        "kind": "openai",
        "base_url": "http://127.0.0.1:9/v1",
        "api_key_env": "MY_KEY",
        "headers": {"X-Api-Key": {"env": "HEADER_KEY"}},
    }
    config = {"argv": ["env"], "env": ["EXTRA", name]}
    declared = {"providers": [provider], "tools": [{"slug": "program", "type": "command", "config": config}]}
    (tmp_path / "tools.yaml").write_text(json.dumps(declared))
    outcome = run("validate", code=5)
    assert "tools.yaml:1:" in outcome.stderr
    assert f"{name} holds the key of provider" in outcome.stderr


def test_an_agents_own_config_passes_no_key_on_either(run: Run, tmp_path: Path) -> None:
    declared = {
        "tools": [{"slug": "program", "type": "command", "config": {"argv": ["env"]}}],
        "agents": [{**AGENT, "tools": [{"slug": "program", "config": {"env": ["GEMINI_API_KEY"]}}]}],
    }
    (tmp_path / "agents.yaml").write_text(json.dumps(declared))
    assert "GEMINI_API_KEY holds the key of provider gemini" in run("validate", code=5).stderr


def test_a_key_of_a_provider_that_came_later_is_withheld_when_the_program_runs(
    run: Run, script: Script, tmp_path: Path
) -> None:
    declare(tmp_path, {"argv": ["env"], "env": ["LATER_KEY", "EXTRA"], "read_only": True})
    run("apply --yes")
    run("providers create later --kind openai --base-url http://127.0.0.1:9/v1 --api-key-env LATER_KEY")
    model = script(calling(), DONE)
    run(f"chat 'go on' -m {model}", env={"LATER_KEY": "sk-later", "EXTRA": "more"})
    lines = output_of(run)["stdout"].splitlines()
    assert "EXTRA=more" in lines
    assert not any("LATER_KEY" in line or "sk-later" in line for line in lines)


def examples() -> list[str]:
    """The tools of type command in the documents, and the one in the comment of the shipped file."""
    blocks = []
    for name in ("docs/tools.md", "SECURITY.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        blocks += [
            block for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if "type: command" in block
        ]
    shipped = (ROOT / "tools.yaml").read_text(encoding="utf-8").partition("  # - slug: git_log")
    return [*blocks, "tools:\n" + re.sub(r"(?m)^  # ", "  ", shipped[1] + shipped[2])]


@pytest.mark.parametrize("text", examples(), ids=range(len(examples())))
def test_the_examples_of_the_documents_are_valid(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "tools.yaml").write_text(text, encoding="utf-8")
    run("validate")


def test_the_documented_git_log_runs_without_a_question(repository: Path, run: Run) -> None:
    (repository / "tools.yaml").write_text(examples()[0], encoding="utf-8")
    run("apply --yes")
    result = run("tools run git_log --arg stat=true --arg count=1 -o json").json()
    assert result["data"]["stdout"].endswith("first 提交\n")
    refused = run('tools run git_log --json \'{"paths": [":!x"]}\'', code=2)
    assert "item 1 must match" in refused.stderr


def test_both_sides_call_the_mark_the_same() -> None:
    assert INSIDE_TOOL == MARKER
