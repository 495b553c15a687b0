"""What was allowed ahead of time: for one agent and tool, within its conditions, so many times."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace

import pytest

from agentctl.domain.tool import Tool
from agentctl.store import Store
from tests.conftest import Outcome

Run = Callable[..., Outcome]
Start = Callable[..., subprocess.Popen[bytes]]
GRANT = "approvals grant --agent default --tool calculator"


@pytest.fixture
def ask_for(script: Callable[..., str]) -> Callable[[str], str]:
    """The command line of a run that calls the calculator once."""

    def make(expression: str) -> str:
        call = {"name": "calculator", "arguments": {"expression": expression}}
        model = script({"tool_calls": [call]}, {"text": "Done."}, name=f"{expression}.yaml")
        return f"chat 'a b' -m {model} -o json"

    return make


def uses_left(run: Run) -> list[int | None]:
    return [row["uses_left"] for row in run("approvals grants -o json").json()]


def test_a_run_that_nobody_watches_uses_a_grant_up(
    asking: Store, run: Run, ask_for: Callable[[str], str]
) -> None:
    granted = run(f"{GRANT} --uses 2 --reason cron -o json").json()
    for left in ([1], []):
        assert run(ask_for("1+1")).json()["tool_calls"][0]["success"]
        assert uses_left(run) == left
    run(ask_for("1+1"), code=4)
    (used,) = run("approvals grants --all -o json").json()
    assert (used["id"], used["uses_left"], used["reason"]) == (granted["id"], 0, "cron")
    entries = run("approvals audit -o json").json()
    assert [(each["event"], each["by"]) for each in entries] == [
        ("grant", "person"),
        ("decision", "grant"),
        ("decision", "grant"),
    ]
    assert {each["data"]["grant"] for each in entries} == {granted["id"]}


def test_a_grant_holds_only_where_its_conditions_do(
    asking: Store, run: Run, ask_for: Callable[[str], str]
) -> None:
    run(f"{GRANT} --where 'expression=1+*'")
    assert run(ask_for("1+1")).json()["outcome"] == "done"
    run(ask_for("2+2"), code=4)


def test_two_processes_share_what_is_left(
    asking: Store, start: Start, run: Run, ask_for: Callable[[str], str]
) -> None:
    run(f"{GRANT} --uses 1")
    line = ask_for("1+1")
    processes = [start(line) for _ in range(4)]
    codes = [process.wait(timeout=60) for process in processes if process.communicate(timeout=60)]
    assert sorted(codes) == [0, 4, 4, 4]


def test_a_grant_ends_with_its_time_or_when_it_is_revoked(
    asking: Store, run: Run, ask_for: Callable[[str], str]
) -> None:
    for_a_week = run(f"{GRANT} --expires 7d -o json").json()
    assert for_a_week["expires_at"] > for_a_week["created_at"]
    asking.database.execute("UPDATE agent_grants SET expires_at = created_at")
    run(ask_for("1+1"), code=4)
    taken_back = run(f"{GRANT} -o ids").stdout.strip()
    run(f"approvals revoke {taken_back}")
    run(f"approvals revoke {taken_back}")
    run(ask_for("2+2"), code=4)
    assert run("approvals grants -o json").json() == []
    assert [row["event"] for row in run("approvals audit -o json").json()] == ["grant", "grant", "revoke"]


def test_grants_of_another_user_are_not_there(asking: Store, run: Run, ask_for: Callable[[str], str]) -> None:
    given = run(f"{GRANT} -o ids --user other").stdout.strip()
    assert run("approvals grants -o json").json() == []
    assert "no grant" in run(f"approvals revoke {given}", code=6).stderr
    run(ask_for("1+1"), code=4)


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("--agent nobody --tool calculator", 6, 'no agent "nobody"'),
        ("--agent default --tool nothing", 6, 'no tool "nothing"'),
        ("--agent default --tool uuid", 6, "does not have the tool"),
        ("--agent default --tool 'a b'", 2, "neither TOOL nor TOOL:ACTION"),
        ("--agent default --tool calculator:add", 2, "has no actions"),
        ("--agent default --tool calculator --where expresion=1", 2, "did you mean"),
        ("--agent default --tool calculator --where expression", 2, "is not ARG=GLOB"),
        ("--agent default --tool calculator --where expression=1 --where expression=2", 2, "twice"),
        ("--agent default --tool calculator --uses 0", 2, "--uses"),
        ("--agent default --tool calculator --expires never", 2, "no time"),
    ],
)
def test_a_grant_that_could_allow_nothing_is_refused(
    asking: Store, run: Run, line: str, code: int, words: str
) -> None:
    asking.tools.put(Tool("uuid", "UUID", "uuid"))
    assert words in run(f"approvals grant {line}", code=code).stderr
    assert run("approvals grants --all -o json").json() == []


def test_a_key_never_stands_in_a_grant(asking: Store, agentctl: Run, run: Run) -> None:
    key = "sk-a-key-that-is-long-enough-1234"
    run("providers create mine --kind openai --api-key-env MINE_KEY")
    refused = agentctl(f"{GRANT} --where expression={key}", code=2, env={"MINE_KEY": key})
    assert key not in refused.stderr
    assert run("approvals grants --all -o json").json() == []


def test_a_deny_rule_is_stronger_than_a_grant(asking: Store, run: Run, ask_for: Callable[[str], str]) -> None:
    run(GRANT)
    result = run(f"{ask_for('1+1')} --deny 'calculator expression=1+1'", code=3).json()
    assert not result["tool_calls"][0]["success"]
    assert uses_left(run) == [None]


def test_what_nothing_asks_about_uses_no_grant_up(
    asking: Store, run: Run, ask_for: Callable[[str], str]
) -> None:
    run(f"{GRANT} --uses 1")
    asking.tools.put(replace(asking.tools.require("calculator"), needs_approval=False))
    assert run(ask_for("1+1")).json()["outcome"] == "done"
    assert uses_left(run) == [1]
