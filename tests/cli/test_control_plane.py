"""init, validate, plan, apply and export, as an operator uses them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.sync.packaged import declare_packaged
from tests.conftest import Outcome

SHIPPED = len(declare_packaged().tools)

Run = Callable[..., Outcome]


def test_init_then_apply_then_plan_shows_no_change(run: Run, tmp_path: Path) -> None:
    run("init")
    assert (tmp_path / "agents.yaml").read_text().startswith("# yaml-language-server: $schema=")
    run("plan --exit-code", code=11)
    run("apply --yes")
    assert "no changes" in run("plan --exit-code").stdout
    agents = tmp_path / "agents.yaml"
    agents.write_text(agents.read_text().replace("max_step_count: 6", "max_step_count: 7"))
    assert "max_step_count: 6 -> 7" in run("plan --exit-code", code=11).stdout


def test_init_overwrites_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text("mine")
    run("init", code=2)
    assert (tmp_path / "agents.yaml").read_text() == "mine"
    assert not (tmp_path / "tools.yaml").exists()


def test_validate_lists_every_problem_with_its_place(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text(
        "agents:\n  - slug: a\n    nam: A\n    enabled: yes\n    tools: [missing]\n"
    )
    outcome = run("validate", code=5)
    for line in ("agents.yaml:3:", 'did you mean "name"', "agents.yaml:4:", "agents.yaml:5:"):
        assert line in outcome.stderr
    assert all(line.startswith("agents.yaml:") for line in outcome.stderr.splitlines()[:-1])
    assert outcome.stdout == ""


def test_apply_twice_changes_nothing_and_says_so(run: Run) -> None:
    run("init")
    assert f"{SHIPPED + 2} to create" in run("apply --yes").stdout
    assert "no changes" in run("apply --yes").stdout


def test_apply_without_a_terminal_and_without_yes_never_waits(agentctl: Run, run: Run) -> None:
    run("init")
    assert "--yes" in agentctl("apply", code=2).stderr
    assert run("plan --exit-code", code=11)


def test_dry_run_writes_nothing(run: Run) -> None:
    run("init")
    assert f"{SHIPPED + 2} to create" in run("apply --dry-run").stdout
    run("plan --exit-code", code=11)


def test_a_file_with_a_mistake_changes_nothing(run: Run, tmp_path: Path) -> None:
    run("init")
    run("apply --yes")
    agents = tmp_path / "agents.yaml"
    before = run("export").stdout
    agents.write_text(
        agents.read_text().replace("max_step_count: 6", "max_step_count: 9") + "  - slug: BAD\n"
    )
    run("apply --yes", code=5)
    assert run("export").stdout == before


def test_export_can_be_applied_again_without_a_change(run: Run, tmp_path: Path) -> None:
    run("init")
    run("apply --yes")
    (tmp_path / "all.yaml").write_text(run("export").stdout)
    run("plan --exit-code -f all.yaml")
    run("export --dir out")
    run("plan --exit-code -f out")
    run("export --dir out", code=2)
    run("export --dir out --force")


def test_prune_deletes_what_the_files_hold_no_more(run: Run, tmp_path: Path) -> None:
    tools = tmp_path / "tools.yaml"
    tools.write_text("tools: [{slug: a, name: A, type: uuid}, {slug: b, name: B, type: uuid}]\n")
    run("apply --yes")
    tools.write_text("tools: [{slug: a, name: A, type: uuid}]\n")
    assert "no changes" in run("plan").stdout
    assert "- tool b" in run("plan --prune").stdout
    run("apply --yes --prune")
    assert run("tools list -o ids").stdout == "a\n"


def test_a_plan_is_rows_for_programs(run: Run) -> None:
    run("init")
    changes = json.loads(run("plan -o json").stdout)
    assert {(change["noun"], change["slug"], change["change"]) for change in changes} >= {
        ("agent", "default", "create"),
        ("tool", "calculator", "create"),
    }


def test_the_plan_says_where_a_key_would_be_sent(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text(
        "providers: [{slug: p, kind: openai, base_url: 'https://api.example.com/v1', api_key_env: P_KEY}]\n"
    )
    assert "P_KEY -> https://api.example.com" in run("plan").stdout
    assert "(new)" in run("apply --yes").stdout


def test_a_fresh_database_gets_the_built_in_agents_and_says_so_once(run: Run) -> None:
    outcome = run("agents list -o ids")
    assert outcome.stdout == "default\ncoder\n"
    assert "built-in agents" in outcome.stderr
    assert run("agents list -o ids").stderr == ""


@pytest.mark.parametrize("output_format", ["json", "jsonl", "yaml", "csv", "ids", "table"])
def test_every_list_speaks_every_format(run: Run, output_format: str) -> None:
    run("agents list")
    for noun in ("agents", "tools", "models", "sessions"):
        run(f"{noun} list -o {output_format}")


def test_a_bare_carriage_return_is_quoted_in_csv(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text('tools: [{slug: a, type: uuid, description: "x\\ry"}]\n')
    run("apply --yes")
    assert '"x\ry"' in run("tools list -o csv").stdout


@pytest.mark.parametrize("flag", ["--limit", "--page"])
def test_a_number_that_no_database_holds_is_a_usage_error(run: Run, flag: str) -> None:
    run(f"sessions list {flag} 9223372036854775808", code=2)


def test_pages_end(run: Run) -> None:
    size = SHIPPED - 1
    slugs = [run(f"tools list -o ids --limit {size} --page {page}").stdout.split() for page in (1, 2, 3)]
    assert [len(page) for page in slugs] == [size, 1, 0]
    assert run("tools list -o ids --page 2").stdout == ""
    assert run("agents list -o ids --limit 1 --page 2").stdout == "coder\n"


def test_lines_on_a_pipe_escape_what_would_break_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text(
        'tools: [{slug: a, type: uuid, description: "tab\\tnewline\\nback\\\\slash"}]\n'
    )
    run("apply --yes")
    assert run("tools list").stdout.rstrip("\n").split("\t")[7] == "tab\\tnewline\\nback\\\\slash"


@pytest.mark.parametrize(
    ("line", "suggestion"),
    [
        ("agents show codr", 'did you mean "coder"?'),
        ("tools show calculater", 'did you mean "calculator"?'),
        ("models show opnai/x", 'did you mean "openai"?'),
    ],
)
def test_a_name_that_is_unknown_gets_a_suggestion(run: Run, line: str, suggestion: str) -> None:
    assert suggestion in run(line, code=6).stderr


def test_an_unknown_command_gets_a_suggestion(run: Run) -> None:
    assert 'did you mean "sessions"?' in run("sesions list", code=2).stderr


@pytest.mark.parametrize("line", ["", "sessions"])
def test_a_group_alone_shows_its_help_and_is_a_usage_error(run: Run, line: str) -> None:
    outcome = run(line, code=2)
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("Usage: ")


@pytest.mark.parametrize(
    "env", [{"AGENTCTL_ATTEMPTS": "x"}, {"AGENTCTL_STREAM_TIMEOUT": "-1"}, {"AGENTCTL_LOCAL_IDLE": "nan"}]
)
def test_a_variable_that_makes_no_sense_is_named(run: Run, env: dict[str, str]) -> None:
    assert next(iter(env)) in run("sessions list", env=env, code=2).stderr


def test_tools_show_has_the_schema_that_models_see(run: Run) -> None:
    shown = run("tools show calculator -o json").json()
    assert shown["parameters"]["required"] == ["expression"]
