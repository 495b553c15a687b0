"""What a person at a terminal sees and types: questions about tool calls, the conversation, tables."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.tool import Tool
from agentctl.store import Store
from tests.conftest import Outcome
from tests.terminal import Terminal

Run = Callable[..., Outcome]
Script = Callable[..., str]
Open = Callable[..., Terminal]


@pytest.fixture
def terminal(environ: dict[str, str], tmp_path: Path) -> Open:
    def call(line: str, **options: Any) -> Terminal:
        return Terminal(line, cwd=tmp_path, environ={**environ, **options.pop("env", {})}, **options)

    return call


@pytest.fixture
def asking(store: Store) -> Store:
    """A database whose default agent has a calculator that needs approval."""
    store.tools.put(Tool("calculator", "Calculator", "calculator", needs_approval=True))
    store.agents.put(
        Agent("default", "Default", title_strategy="none", is_default=True, tools=(AgentTool("calculator"),))
    )
    store.revisions.add("test", {})
    return store


CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "1+1"}}]}
OTHER = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "2+2"}}]}
DONE = {"text": "All done."}


def test_yes_runs_the_call_once(terminal: Open, asking: Store, script: Script, run: Run) -> None:
    person = terminal(f"chat 'a b' -m {script(CALL, CALL, DONE)}")
    assert 'expression = "1+1"' in person.wait_for("[q] stop?")
    person.type("y\n")
    person.wait_for("[q] stop?", count=2)
    person.type("y\n")
    assert person.end() == 0
    assert "All done." in person.seen


@pytest.mark.parametrize(("key", "questions"), [("t", 1), ("a", 2)])
def test_an_answer_for_the_session_holds_for_its_next_run_too(
    terminal: Open, asking: Store, script: Script, run: Run, key: str, questions: int
) -> None:
    model = script(CALL, OTHER, DONE, CALL, OTHER, DONE)
    person = terminal(f"chat 'a b' -m {model}")
    for count in range(questions):
        person.wait_for("[q] stop?", count=count + 1)
        person.type(f"{key}\n")
    assert person.end() == 0
    again = run("chat -c 'once more' -o json").json()
    assert [call["success"] for call in again["tool_calls"]] == [True, True]


def test_no_gives_the_model_the_reason(terminal: Open, asking: Store, script: Script, run: Run) -> None:
    person = terminal(f"chat 'a b' -m {script(CALL, {'match': 'too dear', 'text': 'Understood.'})}")
    person.wait_for("[q] stop?")
    person.type("n\n")
    person.wait_for("Reason")
    person.type("too dear\n")
    assert person.end() == 0
    assert "Understood." in person.seen


def test_stop_ends_the_run_and_the_session_goes_on(
    terminal: Open, asking: Store, script: Script, run: Run
) -> None:
    person = terminal(f"chat 'a b' -m {script(CALL, DONE)}")
    person.wait_for("[q] stop?")
    person.type("q\n")
    assert person.end() == 130
    assert run("chat -c 'go on'").stdout == "All done.\n"


def test_control_c_at_the_question_ends_the_run(terminal: Open, asking: Store, script: Script) -> None:
    person = terminal(f"chat 'a b' -m {script(CALL, DONE)}")
    person.wait_for("[q] stop?")
    person.interrupt()
    assert person.end() == 130


def test_edited_arguments_are_checked_and_are_what_runs(
    terminal: Open, asking: Store, script: Script, run: Run, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf \'{"expression": "6*7"}\' > "$1"\n')
    editor.chmod(0o755)
    person = terminal(f"chat 'a b' -m {script(CALL, DONE)}", env={"EDITOR": str(editor)})
    person.wait_for("[q] stop?")
    person.type("e\n")
    person.wait_for('expression = "6*7"')
    person.wait_for("[q] stop?", count=2)
    person.type("y\n")
    assert person.end() == 0
    assert '"42"' in run("sessions messages -o json").json()[2]["text"]


def test_arguments_are_shown_with_nothing_hidden(terminal: Open, asking: Store, script: Script) -> None:
    call = {"name": "calculator", "arguments": {"expression": "1+1\x1b[2K\u202e\u200b"}}
    person = terminal(f"chat 'a b' -m {script({'tool_calls': [call]}, DONE)}")
    seen = person.wait_for("[q] stop?")
    assert "\\u202e" in seen
    assert "\\u200b" in seen
    question = seen[seen.index("wants to run") :]
    assert "\x1b" not in question
    person.type("q\n")
    person.end()


def test_piped_data_does_not_keep_a_person_from_being_asked(
    terminal: Open, asking: Store, script: Script, tmp_path: Path
) -> None:
    (tmp_path / "data.txt").write_text("some data\n")
    person = terminal(f"chat default 'a b' -m {script(CALL, DONE)}", stdin=str(tmp_path / "data.txt"))
    person.wait_for("[q] stop?")
    person.type("y\n")
    assert person.end() == 0


@pytest.mark.parametrize(("flags", "env"), [("--no-input", {}), ("", {"CI": "true"})])
def test_nobody_is_asked_where_they_said_not_to(
    terminal: Open, asking: Store, script: Script, flags: str, env: dict[str, str]
) -> None:
    person = terminal(f"chat 'a b' {flags} -m {script(CALL, DONE)}", env=env)
    assert person.end() == 4
    assert "agentctl approvals approve ap_" in person.seen


def test_without_a_terminal_a_call_can_be_denied_and_the_flag_is_named(
    agentctl: Run, asking: Store, script: Script
) -> None:
    model = script(CALL, {"match": "denied", "text": "I could not."})
    line = f"chat default 'a b' -m {model} --on-approval deny -o json"
    outcome = agentctl(line, stdin=b"data", code=3)
    result = outcome.json()
    assert (result["outcome"], result["result"]) == ("denied", "I could not.")
    assert result["permission_denials"][0]["tool"] == "calculator"
    assert "--yes" in outcome.stderr
    agentctl(f"chat default 'a b' -m {model} --yes", stdin=b"data", code=13)


def test_yes_allows_what_would_ask(agentctl: Run, asking: Store, script: Script) -> None:
    assert agentctl(f"chat 'a b' --yes -m {script(CALL, DONE)}").stdout == "All done.\n"


def test_the_associations_word_on_approval_beats_the_tools(
    agentctl: Run, asking: Store, script: Script
) -> None:
    asking.agents.put(
        Agent("default", "Default", is_default=True, tools=(AgentTool("calculator", needs_approval=False),))
    )
    assert agentctl(f"chat 'a b' -m {script(CALL, DONE)}").stdout == "All done.\n"


def test_a_conversation_goes_on_in_one_session(terminal: Open, script: Script, run: Run) -> None:
    person = terminal(f"chat -m {script({'text': 'first answer'}, {'text': 'second answer'})}")
    person.wait_for("> ")
    person.type("one\n")
    person.wait_for("first answer")
    person.wait_for("\n> ", count=2)
    person.type("two\n")
    person.wait_for("second answer")
    person.type("/quit\n")
    assert person.end() == 0
    (session,) = run("sessions list -o json").json()
    assert len(run(f"sessions messages {session['id']} -o json").json()) == 4


def test_a_line_with_a_slash_is_a_command_and_never_sent_by_mistake(
    terminal: Open, script: Script, run: Run
) -> None:
    person = terminal(f"chat -m {script({'text': 'an answer', 'repeat': True})}")
    person.wait_for("> ")
    person.type("/help\n")
    person.wait_for("/new")
    person.type("/hlep\n")
    person.wait_for('did you mean "/help"')
    person.type("//exit is a word\n")
    person.wait_for("an answer")
    person.type("/new\n")
    person.wait_for("new session")
    person.type("/etc/hosts is a path\n")
    person.wait_for("an answer", count=2)
    person.type("/exit\n")
    assert person.end() == 0
    sessions = run("sessions list -o json").json()
    firsts = {run(f"sessions messages {each['id']} -o json").json()[0]["text"] for each in sessions}
    assert firsts == {"/exit is a word", "/etc/hosts is a path"}


def test_control_c_stops_the_answer_and_not_the_conversation(terminal: Open, script: Script) -> None:
    slow = {"text": ["one ", *["more "] * 200], "chunk_delay": 0.05}
    person = terminal(f"chat -m {script(slow, {'text': 'still here'})}")
    person.wait_for("> ")
    person.type("one\n")
    person.wait_for("more")
    person.interrupt()
    person.wait_for("SIGINT")
    person.type("two\n")
    person.wait_for("still here")
    person.wait_for("\n> ", count=3)
    person.type("\x04")
    assert person.end() == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_other_than_control_c_ends_the_conversation(
    terminal: Open, script: Script, number: int, code: int
) -> None:
    person = terminal(f"chat -m {script({'text': ['one ', *['more '] * 200], 'chunk_delay': 0.05})}")
    person.wait_for("> ")
    person.type("one\n")
    person.wait_for("more")
    os.kill(person.pid, number)
    assert person.end() == code


def test_an_answer_for_the_session_survives_a_stop_in_the_same_step(
    terminal: Open, asking: Store, script: Script, run: Run
) -> None:
    both = {"tool_calls": [*CALL["tool_calls"], {"name": "calculator", "arguments": {"expression": "9"}}]}
    person = terminal(f"chat 'a b' -m {script(both, CALL, DONE)}")
    person.wait_for("[q] stop?")
    person.type("a\n")
    person.wait_for("[q] stop?", count=2)
    person.type("q\n")
    assert person.end() == 130
    assert run("chat -c 'go on' -o json").json()["tool_calls"][0]["success"] is True


def test_the_editor_has_the_terminal_and_the_answer_stays_clean(
    terminal: Open, asking: Store, script: Script, tmp_path: Path, environ: dict[str, str]
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "the screen of an editor"\nprintf \'{"expression": "6*7"}\' > "$1"\n')
    editor.chmod(0o755)
    out = tmp_path / "out.txt"
    person = terminal(f"chat 'a b' -m {script(CALL, DONE)}", env={"EDITOR": str(editor)}, stdout=str(out))
    person.wait_for("[q] stop?")
    person.type("e\n")
    person.wait_for("the screen of an editor")
    person.wait_for("[q] stop?", count=2)
    person.type("y\n")
    assert person.end() == 0
    assert out.read_text() == "All done.\n"


@pytest.mark.parametrize("words", ["''", "--no-stdin"])
def test_an_empty_prompt_opens_no_conversation(terminal: Open, words: str) -> None:
    person = terminal(f"chat {words}")
    assert person.end() == 2
    assert "the prompt is empty" in person.seen


def test_an_error_does_not_end_the_conversation(terminal: Open, script: Script) -> None:
    person = terminal("chat -m nope/x")
    person.wait_for("> ")
    person.type("one\n")
    person.wait_for('unknown provider "nope"')
    person.type("/quit\n")
    assert person.end() == 0


def test_control_sequences_of_a_model_never_reach_the_terminal(terminal: Open, script: Script) -> None:
    model = script({"text": ["red \x1b[", "31mred\x1b]0;title\x07 ", "\x9b2Jend"]})
    person = terminal(f"chat 'a b' -m {model}", env={"NO_COLOR": "1"})
    assert person.end() == 0
    assert "red red end" in person.seen
    assert "\x1b" not in person.seen


def test_a_pipe_gets_them_as_they_are(agentctl: Run, script: Script) -> None:
    model = script({"text": "x\x1b[31my"})
    assert agentctl(f"chat 'a b' -m {model}").stdout == "x\x1b[31my\n"


def test_a_list_is_a_table_on_a_terminal(terminal: Open) -> None:
    person = terminal("agents list", env={"COLUMNS": "120", "NO_COLOR": "1"})
    assert person.end() == 0
    assert "SLUG" in person.seen


def test_apply_asks_and_no_changes_nothing(terminal: Open, run: Run) -> None:
    run("init")
    person = terminal("apply")
    person.wait_for("[y/N]")
    person.type("n\n")
    assert person.end() == 130
    assert run("plan --exit-code", code=11).stdout
    person = terminal("apply")
    person.wait_for("[y/N]")
    person.type("y\n")
    assert person.end() == 0
    run("plan --exit-code", code=0)


def test_a_background_job_never_asks(environ: dict[str, str], asking: Store, script: Script) -> None:
    # A process group that is not in the foreground of its terminal must not wait for an answer.
    shell = f"{sys.executable} -m agentctl chat 'a b' -m {script(CALL, DONE)} & wait $!; echo code=$?"
    root = str(Path(__file__).parents[2])
    pid, master = os.forkpty()
    if pid == 0:
        os.execvpe("bash", ["bash", "-mc", shell], {**environ, "PYTHONPATH": root})
    seen = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.waitpid(pid, 0)
    os.close(master)
    assert b"code=4" in seen
