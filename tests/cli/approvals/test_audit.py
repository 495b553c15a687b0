"""The audit as a command: who decided what, in a chain that shows what was done to it."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Callable

from agentctl.store import Store
from tests.conftest import Outcome
from tests.waiting import ask, begin_run

Run = Callable[..., Outcome]
Pause = Callable[..., list[str]]


def test_a_decision_is_written_down_with_who_how_and_the_hash(pause: Pause, run: Run) -> None:
    (approval,) = pause("1+1")
    run(f"approvals approve {approval} --resume")
    shown = run(f"approvals show {approval} -o json").json()
    entries = [json.loads(line) for line in run("approvals audit -o jsonl").stdout.splitlines()]
    assert [(each["seq"], each["event"], each["decision"], each["by"]) for each in entries] == [
        (1, "answer", "allow", "person"),
        (2, "decision", "allow", "person"),
    ]
    assert {each["user"] for each in entries} == {"tester"}
    assert {each["os_user"] for each in entries} == {pwd.getpwuid(os.getuid()).pw_name}
    assert {each["data"]["hash"] for each in entries} == {shown["hash"]}
    assert {each["data"]["approval"] for each in entries} == {approval}
    assert entries[0]["data"]["how"] == "approvals approve"
    assert entries[1]["previous"] == entries[0]["hash"]


def test_flags_and_rules_are_named(asking: Store, run: Run, script: Callable[..., str]) -> None:
    call = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "1+1"}}]}
    for flag, code in (("--yes", 0), ("--allow calculator", 0), ("--deny 'calculator expression=1+1'", 3)):
        run(f"chat 'a b' -m {script(call, {'text': 'Done.'})} {flag}", code=code)
    rows = run("approvals audit -o json").json()
    assert [row["by"] for row in rows] == ["flag", "flag", "flag"]
    assert [str(row["rule"]).split()[0] for row in rows] == ["--yes", "allow", "deny"]


def test_the_chain_is_verified_and_its_head_printed(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    run(f"approvals deny {approval}")
    first = run("approvals audit --verify -o json").json()
    assert first["entries"] == 1
    run(f"resume {run(f'approvals show {approval} -o json').json()['run_id']}")
    assert run(f"approvals audit --verify --head {first['head']} -o json").json()["entries"] == 2
    store.database.execute("DROP TRIGGER approval_audit_no_update")
    store.database.execute("UPDATE approval_audit SET os_user = 'somebody' WHERE seq = 1")
    broken = run("approvals audit --verify", code=5)
    assert "entry 1 was changed" in broken.stderr
    assert broken.stdout == ""


def test_a_cut_off_end_shows_with_the_head(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    run(f"approvals deny {approval}")
    head = run("approvals audit --verify -o json").json()["head"]
    store.database.execute("DROP TRIGGER approval_audit_no_delete")
    store.database.execute("DELETE FROM approval_audit")
    assert run("approvals audit --verify -o json").json()["entries"] == 0
    assert "cut off" in run(f"approvals audit --verify --head {head}", code=5).stderr


def test_entries_since_a_time_and_page_by_page(asking: Store, run: Run) -> None:
    approvals = [ask(asking, begin_run(asking)) for _ in range(3)]
    run(f"approvals deny {' '.join(each.id for each in approvals)}")
    assert len(run("approvals audit --since 1h -o json").json()) == 3
    assert run("approvals audit --since 2100-01-01 -o json").json() == []
    assert [row["seq"] for row in run("approvals audit --limit 2 --page 2 -o json").json()] == [3]


def test_the_help_says_what_verifying_is_worth(run: Run) -> None:
    assert "can rewrite all of it" in " ".join(run("approvals audit --help").stdout.split())
    run("approvals audit --head 123", code=2)


def test_what_goes_with_a_session_leaves_the_audit(pause: Pause, run: Run, store: Store) -> None:
    (approval,) = pause("1+1")
    run(f"approvals deny {approval}")
    store.database.execute("DELETE FROM agent_sessions")
    assert run("approvals list -o json").json() == []
    store.users.ensure("tester")
    assert len(run("approvals audit -o json").json()) == 1
    assert run("approvals audit --verify -o json").json()["entries"] == 1
