"""Tools by their users' view: listed, shown, run by hand, made, changed and removed."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.tool import Tool
from agentctl.store import Store
from agentctl.sync.json_schema import build_schema
from agentctl.tools import TYPES
from tests.conftest import Outcome
from tests.packages import WHOLE, install
from tests.terminal import Terminal

Run = Callable[..., Outcome]
Start = Callable[..., subprocess.Popen[bytes]]
Script = Callable[..., str]
SLOW = WHOLE.replace('return {"text": "yes"}', "import asyncio; await asyncio.sleep(60)")


def rows(run: Run) -> dict[str, dict[str, Any]]:
    return {row["slug"]: row for row in run("tools list -o json").json()}


def show(run: Run, slug: str, flags: str = "") -> dict[str, Any]:
    shown: dict[str, Any] = run(f"tools show {slug} -o json {flags}").json()
    return shown


def path_with(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": f"{Path(__file__).parents[2]}:{folder}"}


@pytest.fixture
def asking(store: Store) -> Store:
    """A tool that needs approval, which one agent waives."""
    store.tools.put(Tool("sums", "Sums", "calculator", needs_approval=True, config={"timeout": 9}))
    tool = AgentTool("sums", needs_approval=False, config={"timeout": 3})
    store.agents.put(Agent("bold", "Bold", tools=(tool,)))
    return store


def test_the_list_says_what_each_tool_is_and_where_it_comes_from(run: Run) -> None:
    row = rows(run)["calculator"]
    assert row["description"].startswith("Computes")
    assert (row["ready"], row["detail"], row["enabled"]) == (True, None, True)
    assert (row["needs_approval"], row["risk"], row["source"]) == (False, "read", "built in")


def test_a_tool_that_cannot_be_used_is_listed_with_the_reason(run: Run, store: Store) -> None:
    store.tools.put(Tool("old", "Old", "calculator", config={"timeout": "soon"}))
    store.tools.put(Tool("gone", "Gone", "abacus", description="Counts."))
    listed = rows(run)
    assert listed["old"]["detail"] == 'config.timeout: must be a number, not "soon"'
    assert (listed["old"]["risk"], listed["old"]["description"][:8]) == ("read", "Computes")
    assert 'unknown tool type "abacus"' in listed["gone"]["detail"]
    assert (listed["gone"]["ready"], listed["gone"]["description"]) == (False, "Counts.")
    assert "must be a number" in show(run, "old")["detail"]
    assert show(run, "old")["parameters"] is None
    assert "must be a number" in run("tools run old --arg expression=1", code=5).stderr


def test_a_tool_is_shown_as_a_model_and_as_one_agent_have_it(run: Run, asking: Store) -> None:
    shown = show(run, "sums")
    assert shown["parameters"]["required"] == ["expression"]
    assert (shown["needs_approval"], shown["config"]["timeout"], shown["agents"]) == (True, 9.0, ["bold"])
    assert shown["config"]["max_output"] == 20_000
    bold = show(run, "sums", "--agent bold")
    assert (bold["needs_approval"], bold["config"]["timeout"]) == (False, 3.0)
    told = run("tools show sums").stdout
    assert "parameters.expression\tstring, required: The expression" in told
    assert "config.timeout\t9.0\n" in told
    assert 'does not have the tool "uuid"' in run("tools show uuid --agent bold", code=6).stderr
    assert 'no agent "bald" (did you mean "bold"?)' in run("tools show sums --agent bald", code=6).stderr


def test_the_words_of_a_program_are_shown_apart(run: Run, store: Store) -> None:
    store.tools.put(Tool("say", "Say", "command", config={"argv": ["echo", "a, b", "日本"]}))
    assert 'config.argv\t["echo", "a, b", "日本"]\n' in run("tools show say").stdout


def test_every_type_is_listed_in_one_line_and_shown_with_its_settings(run: Run) -> None:
    listed = {row["type"]: row for row in run("tools types -o json").json()}
    assert set(TYPES) <= set(listed)
    assert listed["uuid"]["description"] == "Makes new UUIDs."
    shown = run("tools types calculator -o json").json()
    assert "expression" in shown["arguments"]["properties"]
    assert shown["config"]["properties"]["timeout"]["default"] == 30.0
    assert "config.timeout\tnumber, default 30.0: Seconds" in run("tools types calculator").stdout
    told = run("tools types fetch").stdout
    assert "config.allow_private\tboolean, default false: " in told
    assert "config.allow_hosts\tarray, default []: " in told
    assert 'did you mean "calculator"?' in run("tools types calculater", code=6).stderr


@pytest.mark.parametrize("name", TYPES)
def test_the_schema_for_editors_knows_the_config_of_every_type(name: str, run: Run) -> None:
    config = run(f"tools types {name} -o json").json()["config"]
    schema = build_schema()
    rules = schema["$defs"]["tool"]["allOf"]
    (rule,) = (each for each in rules if each["if"]["properties"]["type"]["const"] == name)
    assert rule["then"]["properties"]["config"] == config


def test_tools_of_every_type_can_be_listed_and_shown(run: Run, store: Store) -> None:
    for name in TYPES:
        store.tools.put(Tool(f"a-{name}", "A", name))
    listed = rows(run)
    for name in TYPES:
        assert show(run, f"a-{name}")["ready"] == listed[f"a-{name}"]["ready"]
        assert listed[f"a-{name}"]["ready"] or listed[f"a-{name}"]["detail"]


def test_a_tool_runs_as_an_agent_would_run_it(run: Run) -> None:
    assert json.loads(run("tools run calculator --arg expression=37*91").stdout)["result"] == "3367"
    assert run("tools run base64 --arg action=encode --arg text=hello").stdout == "aGVsbG8=\n"
    result = run('tools run base64 --json \'{"action": "encode", "text": "日本"}\' -o json').json()
    assert list(result) == ["success", "data", "error", "metadata"]
    assert (result["success"], result["data"]) == (True, {"text": "5pel5pys"})
    assert result["metadata"]["duration_ms"] >= 0


def test_arguments_are_what_the_schema_says(run: Run) -> None:
    assert len(json.loads(run("tools run uuid --arg count=3 --arg version=7").stdout)["uuids"]) == 3
    encoded = run("tools run base64 --arg action=encode --arg 'text=?>' --arg url_safe=true").stdout
    assert encoded == "Pz4=\n"
    assert run("tools run base64 --arg action=encode --arg text=").stdout == "\n"
    assert run("tools run base64 --arg action=encode --arg text=a=b").stdout == "YT1i\n"


def test_arguments_come_from_stdin(agentctl: Callable[..., Outcome]) -> None:
    given = b'{"action": "encode", "text": "hello"}'
    assert agentctl("tools run base64 --json -", stdin=given).stdout == "aGVsbG8=\n"
    assert "is not UTF-8" in agentctl("tools run base64 --json -", stdin=b"\xff", code=2).stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            "uuid --arg count=0 --arg nope=1 --arg version=9",
            ("count: must be at least", "nope: unknown", "4, 7"),
        ),
        ("uuid --arg count=many", ("count: must be a whole number",)),
        ("uuid --arg count=1 --arg count=2", ("count: is given twice",)),
        ("uuid --arg count", ("--arg count: write NAME=VALUE",)),
        ("uuid --json 5", ("--json: this is no JSON object", "--arg NAME=VALUE")),
        ("uuid --json {", ("--json: this is no JSON: ", "--arg NAME=VALUE")),
        ("uuid --json {} --arg count=1", ("not both",)),
        ("base64 --arg url_safe=perhaps", ("url_safe: write JSON, such as true",)),
        ("calculator", ("expression: is required", "agentctl tools show calculator")),
        (f"uuid --json {'[' * 100_000}", ("no JSON",)),
    ],
)
def test_every_fault_of_the_arguments_is_named(run: Run, arguments: str, words: tuple[str, ...]) -> None:
    outcome = run(f"tools run {arguments}", code=2)
    assert outcome.stdout == ""
    assert all(word in outcome.stderr for word in words), outcome.stderr


def test_a_tool_that_fails_is_exit_15(run: Run) -> None:
    outcome = run("tools run calculator --arg expression=1/0", code=15)
    assert outcome.stdout == ""
    assert "zero" in outcome.stderr
    result = run("tools run calculator --arg expression=1/0 -o json", code=15).json()
    assert (result["success"], result["data"]) == (False, None)
    assert "zero" in result["error"]


def test_what_is_too_large_to_compute_ends_soon(run: Run) -> None:
    started = time.monotonic()
    run("tools run calculator --arg expression=9**9**9", code=15)
    assert time.monotonic() - started < 20


def test_an_unknown_or_disabled_tool_is_exit_6(run: Run, store: Store) -> None:
    assert 'did you mean "calculator"?' in run("tools run calculater", code=6).stderr
    store.tools.put(Tool("off", "Off", "uuid", enabled=False))
    assert "agentctl tools enable off" in run("tools run off", code=6).stderr


def test_a_call_that_needs_approval_is_denied_where_nobody_can_be_asked(run: Run, asking: Store) -> None:
    outcome = run("tools run sums --arg expression=1+1", code=3)
    assert "--yes allows it" in outcome.stderr
    assert outcome.stdout == ""
    result = run("tools run sums --arg expression=1+1 -o json", code=3).json()
    assert (result["success"], result["metadata"]["needs_approval"]) == (False, True)
    assert '"2"' in run("tools run sums --arg expression=1+1 --yes").stdout
    assert '"2"' in run("tools run sums --arg expression=1+1 --agent bold").stdout


@pytest.mark.parametrize(("key", "code"), [("y\n", 0), ("n\n\n", 3), ("q\n", 130)])
def test_a_person_decides(
    key: str, code: int, asking: Store, environ: dict[str, str], tmp_path: Path
) -> None:
    person = Terminal("tools run sums --arg expression=20+1", cwd=tmp_path, environ=environ)
    person.wait_for("[q] stop?")
    person.type(key)
    assert person.end() == code
    assert ('"21"' in person.seen) == (code == 0)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_tool(
    number: int, code: int, store: Store, start: Start, tmp_path: Path, run: Run
) -> None:
    marker = tmp_path / "started"
    source = SLOW.replace("import asyncio", f"import asyncio; open({str(marker)!r}, 'w')")
    folder = install(tmp_path / "site", source)
    store.tools.put(Tool("slow", "Slow", "extra"))
    process = start("tools run slow", env=path_with(folder))
    deadline = time.monotonic() + 30
    while not marker.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (code, b"")
    assert b"stopped by SIG" in err


def test_a_tool_ends_at_its_own_limit(store: Store, agentctl: Run, tmp_path: Path) -> None:
    folder = install(tmp_path / "site", SLOW)
    store.tools.put(Tool("slow", "Slow", "extra", config={"timeout": 0.2}))
    assert "longer than 0.2 s" in agentctl("tools run slow", env=path_with(folder), code=15).stderr


def test_a_tool_is_made_changed_and_deleted_by_hand(run: Run) -> None:
    settings = "--config timeout=2 --config '{\"max_output\": 500}' --needs-approval"
    run(f"tools create quick --type calculator {settings}")
    shown = show(run, "quick")
    assert (shown["source"], shown["needs_approval"], shown["type"]) == ("by hand", True, "calculator")
    assert (shown["config"]["timeout"], shown["config"]["max_output"]) == (2.0, 500)
    run("tools update quick --config timeout=3 --no-needs-approval --description 'Adds.'")
    shown = show(run, "quick")
    assert (shown["needs_approval"], shown["description"]) == (False, "Adds.")
    assert (shown["config"]["timeout"], shown["config"]["max_output"]) == (3.0, 500)
    run("tools update quick --unset description --unset config.timeout --unset needs-approval")
    shown = show(run, "quick")
    assert (shown["description"][:8], shown["config"]["timeout"]) == ("Computes", 30.0)
    run("tools disable quick uuid")
    assert not rows(run)["quick"]["enabled"]
    run("tools enable quick uuid")
    assert rows(run)["quick"]["enabled"]
    run("tools delete quick --yes")
    assert "quick" not in rows(run)


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("create X --type uuid", 5, "a slug is made of"),
        ("create x --type uid", 5, 'error: tool x: unknown tool type "uid" (did you mean "uuid"?)'),
        ("create x --type uid", 5, "See agentctl tools types."),
        ("create x --type uuid --config timeot=5", 5, 'did you mean "timeout"?'),
        ("create x --type uuid --config timeot=5", 5, "See agentctl tools types uuid."),
        ("create x --type uuid --config timeout=soon", 5, "timeout: must be a number"),
        ("create x --type uuid --config timeout", 2, "write KEY=JSON"),
        ("create x --type uuid --config '{'", 2, "this is no JSON"),
        ("create x", 2, "--type"),
        ("create uuid --type uuid", 2, "agentctl tools update uuid"),
        ("update uuid", 2, "nothing to change"),
        ("update uuid --unset slug", 2, 'no field "slug"'),
        ("update uuid --unset config.timeout", 2, 'config has no "timeout"'),
        ("update uuid --config risk=low", 5, "risk: must be one of"),
        ("update uid --description x", 6, 'did you mean "uuid"?'),
        ("delete uid --yes", 6, 'did you mean "uuid"?'),
        ("enable uid", 6, 'did you mean "uuid"?'),
    ],
)
def test_a_mistake_is_named_and_nothing_is_kept(run: Run, line: str, code: int, words: str) -> None:
    before = rows(run)
    assert words in run(f"tools {line}", code=code).stderr
    assert rows(run) == before


def test_a_tool_that_is_not_ready_says_where_to_make_it_so(run: Run, tmp_path: Path) -> None:
    told = run("tools run search --arg query=x", code=5).stderr
    assert told.count("search has no backend") == 1
    assert "agentctl tools update search --config KEY=VALUE changes it." in told
    run("tools update search --config backend=sessions")
    assert json.loads(run("tools run search --arg query=x").stdout) == {"results": []}
    (tmp_path / "tools.yaml").write_text("tools: [{slug: look, type: search}]")
    run("apply --yes")
    told = run("tools run look --arg query=x", code=5).stderr
    assert f"Change its config in {tmp_path / 'tools.yaml'}, then agentctl apply." in told


def test_what_a_file_declares_is_changed_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{slug: mine, type: uuid, config: {timeout: 5}}]")
    run("apply --yes")
    for line, way in (
        ("update mine --config timeout=9", "Change it there, then agentctl apply."),
        ("disable mine", "Set enabled: false there, then agentctl apply."),
        ("delete mine --yes", "Take it out there, then agentctl apply --prune."),
    ):
        outcome = run(f"tools {line}", code=2)
        assert f"tool mine is declared in {tmp_path / 'tools.yaml'}" in outcome.stderr
        assert way in outcome.stderr
    assert show(run, "mine")["config"]["timeout"] == 5.0
    (tmp_path / "tools.yaml").unlink()
    run("tools update mine --config timeout=9")
    assert (show(run, "mine")["source"], show(run, "mine")["config"]["timeout"]) == ("by hand", 9.0)


def test_a_deletion_names_the_agents_that_lose_the_tool_and_asks(run: Run, store: Store) -> None:
    run("tools create quick --type uuid")
    for name in ("one", "two"):
        store.agents.put(Agent(name, name, tools=(AgentTool("quick"),)))
    outcome = run("tools delete quick", code=2)
    assert "tool quick: agents one, two would lose it" in outcome.stderr
    assert "--yes" in outcome.stderr
    assert "quick" in rows(run)
    run("tools delete quick --yes")
    assert store.agents.require("one").tools == ()


@pytest.mark.parametrize("change", ["tools disable calculator", "tools delete calculator --yes"])
def test_a_conversation_goes_on_without_a_tool_that_it_used(run: Run, script: Script, change: str) -> None:
    call = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "37*91"}}]}
    model = script(call, {"text": "It is 3367."}, call, {"text": "I cannot."})
    run(f"chat 'what is 37*91' -m {model}")
    run(change)
    told = run("sessions messages @last -o json").stdout
    assert "calculator" in told
    assert "3367" in told
    again = run(f"chat -c 'and again' -m {model} -o json").json()
    assert again["result"] == "I cannot."
    assert 'there is no tool "calculator"' in again["tool_calls"][0]["error"]


def test_a_package_adds_a_type_that_is_declared_like_any_other(agentctl: Run, tmp_path: Path) -> None:
    folder = install(tmp_path / "site", WHOLE)
    (tmp_path / "tools.yaml").write_text("tools: [{slug: yes_man, type: extra}]")
    agentctl("apply --yes", env=path_with(folder))
    assert agentctl("tools run yes_man", env=path_with(folder)).stdout == "yes\n"
    listed = json.loads(agentctl("tools types -o json", env=path_with(folder)).stdout)
    assert {"type": "extra", "source": "extra-tools 1.0", "description": "Says yes."}.items() <= listed[
        -1
    ].items()


def test_what_a_tool_prints_is_no_part_of_its_result(agentctl: Run, tmp_path: Path, store: Store) -> None:
    folder = install(tmp_path / "site", WHOLE.replace("return", "print('working'); return"))
    store.tools.put(Tool("loud", "Loud", "extra", config={"max_output": None}))
    outcome = agentctl("tools run loud", env=path_with(folder))
    assert outcome.stdout == "yes\n"
    assert "the tool printed: working" in outcome.stderr
    assert "config.max_output is null" in outcome.stderr
    assert "config.max_output is null" in agentctl("tools list", env=path_with(folder)).stdout


def test_a_broken_package_spoils_only_its_own_tool(
    agentctl: Run, tmp_path: Path, script: Script, store: Store
) -> None:
    folder = install(tmp_path / "site", "import nowhere")
    why = 'tool type "extra" of extra-tools 1.0 cannot be used: extra_tools:Extra: ModuleNotFoundError'
    (tmp_path / "tools.yaml").write_text("tools:\n- {slug: ids, type: uuid}\n- {slug: bad, type: extra}\n")
    checked = agentctl("validate", env=path_with(folder), code=5).stderr
    assert f"tools.yaml:3:21: {why}" in checked
    store.tools.put(Tool("ids", "Ids", "uuid"))
    store.tools.put(Tool("bad", "Bad", "extra"))
    store.agents.put(Agent("a", "A", title_strategy="none", tools=(AgentTool("bad"), AgentTool("ids"))))
    listed = {row["slug"]: row for row in agentctl("tools list -o json", env=path_with(folder)).json()}
    assert (listed["ids"]["ready"], listed["bad"]["ready"]) == (True, False)
    assert why in listed["bad"]["detail"]
    assert why in agentctl("tools types -o json", env=path_with(folder)).stdout.replace('\\"', '"')
    model = script({"tool_calls": [{"name": "ids", "arguments": {}}]}, {"text": "Done."})
    chat = agentctl(f"chat a 'some ids' -m {model} -o json", env=path_with(folder)).json()
    assert (chat["result"], chat["tool_calls"][0]["success"]) == ("Done.", True)
    (warning,) = chat["warnings"]
    assert warning["kind"] == "tool_not_ready"
    assert why in warning["message"]


def test_a_type_that_fails_while_it_is_set_up_makes_its_tool_not_ready(
    agentctl: Run, tmp_path: Path, store: Store
) -> None:
    source = f"{WHOLE}\n    def __init__(self, config, services):\n        raise ValueError('no moon')\n"
    folder = install(tmp_path / "site", source)
    store.tools.put(Tool("bad", "Bad", "extra"))
    assert "ValueError: no moon" in agentctl("tools run bad", env=path_with(folder), code=5).stderr
    assert "ValueError: no moon" in agentctl("tools list", env=path_with(folder)).stdout
