"""A session that is gone on with in two ways: `sessions fork` and `chat --fork`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from agentctl.store import Store
from tests.cli.test_attach import HANGS, SILENT, live_run
from tests.conftest import Outcome

Line = Callable[..., Outcome]
Script = Callable[..., str]
Start = Callable[..., subprocess.Popen[bytes]]


def spoken(outcome: Outcome) -> list[str]:
    return [message["text"] for message in outcome.json()]


def test_both_go_on_with_what_was_said(run: Line, script: Script) -> None:
    run(f"chat 'a b' -m {script(*({'text': text} for text in ('one', 'two', 'three')))}")
    original = run("sessions list -o ids").stdout.strip()
    copy = run("sessions fork @last -o json").json()
    assert copy["forked_from"] == original
    run("chat -c 'in the copy'")
    run(f"chat -s {original} 'in the original'")
    assert spoken(run(f"sessions messages {copy['id']} -o json")) == ["a b", "one", "in the copy", "two"]
    assert spoken(run(f"sessions messages {original} -o json")) == ["a b", "one", "in the original", "two"]


def test_a_fork_may_end_before_the_end(run: Line, script: Script) -> None:
    run(f"chat 'a b' -m {script({'text': 'one'}, {'text': 'two'})}")
    run("chat -c 'c d'")
    answer = run("sessions messages -o json").json()[1]["id"]
    run(f"sessions fork @last --up-to {answer[-8:]}")
    assert spoken(run("sessions messages @last -o json")) == ["a b", "one"]
    run("sessions fork @last --up-to zzzz9999", code=6)
    run(f"sessions fork {answer} --user somebody", code=6)


def test_a_busy_session_can_be_asked_in_a_copy(
    start: Start, agentctl: Line, script: Script, store: Store
) -> None:
    quick = script({"text": "one"}, {"text": "two"}, name="quick.yaml")
    agentctl(f"chat 'a b' -m {quick}")
    busy = start(f"chat -c 'think long' -m {script({'text': 'one'}, SILENT)}")
    run = live_run(store)
    refused = agentctl(f"chat -c 'now' -m {quick}", code=10)
    assert "--fork" in refused.stderr
    assert agentctl(f"chat -s {run.session_id} --fork 'now' -m {quick}").stdout == "two\n"
    assert spoken(agentctl("sessions messages @last -o json")) == ["a b", "one", "now", "two"]
    assert busy.poll() is None
    busy.kill()
    busy.communicate(timeout=HANGS)
