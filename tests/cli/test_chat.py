"""`agentctl chat` as a script author meets it: words, stdin, formats, exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Outcome

Run = Callable[..., Outcome]
Script = Callable[..., str]

CALCULATE = {
    "text": "Let me see.",
    "tool_calls": [{"name": "calculator", "arguments": {"expression": "37*91"}}],
}


def test_the_answer_and_nothing_else_reaches_stdout(run: Run, script: Script) -> None:
    model = script(CALCULATE, {"text": "It is 3367."})
    outcome = run(f"chat default 'What is 37*91?' -m {model}")
    assert outcome.stdout == "Let me see.\n\nIt is 3367.\n"
    assert "calculator" in outcome.stderr


def test_final_prints_the_last_message_only(run: Run, script: Script) -> None:
    model = script(CALCULATE, {"text": "It is 3367."})
    assert run(f"chat 'What is it, please?' --final -m {model}").stdout == "It is 3367.\n"


def test_json_is_one_object_with_every_key(run: Run, script: Script) -> None:
    model = script(CALCULATE, {"text": "It is 3367."})
    result = run(f"chat 'What is it?' -o json -m {model}").json()
    assert result["result"] == "It is 3367."
    assert result["num_turns"] == 2
    assert result["tool_calls"][0]["arguments"] == {"expression": "37*91"}
    assert result["tool_calls"][0]["success"] is True
    assert (result["outcome"], result["exit_code"], result["error"]) == ("done", 0, None)


def test_stream_json_is_one_event_a_line_and_the_last_is_the_result(run: Run, script: Script) -> None:
    model = script(CALCULATE, {"text": "It is 3367."})
    events = [
        json.loads(line) for line in run(f"chat 'What is it?' -o stream-json -m {model}").stdout.splitlines()
    ]
    kinds = [event["type"] for event in events]
    assert kinds[0] == "init"
    assert kinds[-1] == "result"
    assert kinds.index("tool.call") < kinds.index("tool.decision") < kinds.index("tool.result")
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    deltas = "".join(event["text"] for event in events if event["type"] == "message.delta")
    assert deltas == "Let me see.It is 3367."


@pytest.mark.parametrize("line", ["chat codr 'fix it'", "chat hello"])
def test_a_word_that_looks_like_an_agent_and_is_none_is_never_sent(run: Run, line: str) -> None:
    outcome = run(line, code=6)
    assert outcome.stdout == ""
    assert "no agent" in outcome.stderr
    assert 'agentctl chat default "' in outcome.stderr


def test_a_typing_mistake_gets_a_suggestion(run: Run) -> None:
    assert 'did you mean "coder"?' in run("chat codr 'fix it'", code=6).stderr


def test_anything_else_starts_a_prompt_for_the_default_agent(run: Run, script: Script) -> None:
    model = script({"text": "晴れ"})
    result = run(f"chat 今天天气怎么样 -o json -m {model}").json()
    assert (result["agent"], result["result"]) == ("default", "晴れ")


def test_in_a_session_every_word_is_prompt(run: Run, script: Script) -> None:
    model = script({"text": "one"}, {"text": "two"})
    first = run(f"chat 'first message' -o json -m {model}").json()
    second = run("chat -c coder -o json").json()
    assert second["session_id"] == first["session_id"]
    assert second["result"] == "two"
    messages = run("sessions messages @last -o json").json()
    assert [message["text"] for message in messages] == ["first message", "one", "coder", "two"]


def test_a_session_created_with_a_model_keeps_it(run: Run, script: Script) -> None:
    model = script({"text": "one"}, {"text": "two"})
    first = run(f"chat 'a b' -o json -m {model}").json()
    assert run(f"chat -s {first['session_id'][-6:]} again -o json").json()["model"] == model


def test_a_session_stays_with_its_agent(run: Run, script: Script) -> None:
    model = script({"text": "one"}, {"text": "two"})
    session = run(f"chat coder 'a b' -o json -m {model}").json()["session_id"]
    assert run(f"chat -s {session} default again -o json").json()["agent"] == "coder"
    assert run("sessions messages -o json").json()[2]["text"] == "default again"


@pytest.mark.parametrize("words", ["''", "default ''", "default '  '"])
def test_an_empty_prompt_is_a_usage_error(agentctl: Run, words: str) -> None:
    outcome = agentctl(f"chat {words}", code=2)
    assert "the prompt is empty" in outcome.stderr


def test_piped_data_is_put_behind_the_prompt_in_a_block(agentctl: Run, script: Script) -> None:
    model = script({"text": "ok"})
    agentctl(f"chat default 'how many rows?' -m {model}", stdin=b"a,b\n1,2\n")
    (message, _) = agentctl("sessions messages -o json").json()
    assert message["text"] == "how many rows?\n\n<stdin>\na,b\n1,2\n</stdin>"


@pytest.mark.parametrize("line", ["chat default -", "chat -", "chat default", "chat"])
def test_piped_data_can_be_the_prompt(agentctl: Run, script: Script, line: str) -> None:
    model = script({"text": "ok"})
    agentctl(f"{line} -m {model}", stdin="写一首诗".encode())
    assert agentctl("sessions messages -o json").json()[0]["text"] == "写一首诗"


def test_stdin_that_is_no_text_is_refused_with_its_place(agentctl: Run, script: Script) -> None:
    model = script({"text": "ok"})
    outcome = agentctl(f"chat default 'look' -m {model}", stdin=b"abc\xff", code=2)
    assert "byte 3" in outcome.stderr
    assert agentctl("sessions list -o json").json() == []


@pytest.mark.parametrize("flags", ["-co json", "-ojson", "-cojson", "--format json", "--format=json"])
def test_a_result_is_printed_however_the_format_was_asked_for(run: Run, flags: str) -> None:
    assert run(f"chat {flags} --bogus x", code=2).json()["exit_code"] == 2


def test_the_last_format_counts(run: Run) -> None:
    assert run("chat nobody x -o json -o text", code=6).stdout == ""


def test_a_pipe_that_does_not_block_is_waited_for(
    start: Callable[..., subprocess.Popen[bytes]], agentctl: Run, script: Script
) -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    process = start(f"chat default - -m {script({'text': 'ok'})}", stdin=reader)
    os.close(reader)
    os.write(writer, b"first ")
    time.sleep(1)
    os.write(writer, b"second")
    os.close(writer)
    process.communicate(timeout=30)
    assert process.returncode == 0
    assert agentctl("sessions messages -o json").json()[0]["text"] == "first second"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_while_stdin_is_read_is_one_object_too(
    start: Callable[..., subprocess.Popen[bytes]], script: Script, number: int, code: int
) -> None:
    reader, writer = os.pipe()
    process = start(f"chat default - -o json -m {script({'text': 'ok'})}", stdin=reader)
    time.sleep(2)
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    os.close(reader)
    os.close(writer)
    assert json.loads(out)["exit_code"] == process.returncode == code


def test_a_folder_that_is_gone_is_said(environ: dict[str, str], tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    process = subprocess.run(
        ["sh", "-c", f"mkdir {gone}; cd {gone}; rmdir {gone}; exec {sys.executable} -m agentctl init"],
        env={**environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        timeout=60,
    )
    assert process.returncode == 2
    assert b"the current folder is gone" in process.stderr


def test_a_silent_pipe_does_not_hang_a_run_that_has_a_prompt(
    start: Callable[..., subprocess.Popen[bytes]], script: Script
) -> None:
    reader, writer = os.pipe()
    try:
        process = start(f"chat default 'hello there' -o json -m {script({'text': 'ok'})}", stdin=reader)
        out, _ = process.communicate(timeout=30)
    finally:
        os.close(reader)
        os.close(writer)
    result = json.loads(out)
    assert (process.returncode, result["result"]) == (0, "ok")
    assert "stdin stayed silent" in result["warnings"][0]["message"]


def test_no_stdin_never_reads_it(agentctl: Run, script: Script) -> None:
    agentctl(f"chat default 'hello there' --no-stdin -m {script({'text': 'ok'})}", stdin=b"secret")
    assert agentctl("sessions messages -o json").json()[0]["text"] == "hello there"


@pytest.mark.parametrize(
    ("line", "code", "kind"),
    [
        ("chat -o json", 2, "usage"),
        ("chat -o json --bogus x", 2, "usage"),
        ("chat 'a b' --timeout nan -o json", 2, "usage"),
        ("chat 'a b' --timeout 0 -o json", 2, "usage"),
        ("chat nobody x -o json", 6, "not_found"),
        ("chat 'a b' -m nope/x -o json", 6, "not_found"),
        ("chat 'a b' -m openai/x -o json", 7, "credentials"),
        ("chat -s as_none 'a b' -o json", 6, "not_found"),
        ("chat -c 'a b' -o json", 6, "not_found"),
        ("--db /dev/null/x chat 'a b' -o json", 5, "config"),
        ("chat 'a b' -m script/missing.yaml --format=json", 6, "not_found"),
    ],
)
def test_every_failure_is_one_object_too(agentctl: Run, line: str, code: int, kind: str) -> None:
    outcome = agentctl(line, code=code)
    result = outcome.json()
    assert (result["type"], result["exit_code"], result["error"]["kind"]) == ("result", code, kind)
    assert outcome.stderr.splitlines()[-1].startswith("error: ")


@pytest.mark.parametrize(
    ("reply", "code", "outcome"),
    [
        ({"text": ""}, 9, "empty"),
        ({"text": "  \n"}, 9, "empty"),
        ({"text": "cut", "finish": "length"}, 8, "limit"),
        ({"text": "no", "finish": "content_filter"}, 14, "refused"),
        ({"text": "half", "error": {"kind": "temporary", "message": "the connection broke"}}, 75, "failed"),
        ({"error": {"status": 400, "message": "bad request"}}, 13, "failed"),
        ({"error": {"status": 401, "message": "bad key"}}, 7, "failed"),
    ],
)
def test_an_answer_that_is_none_has_its_own_exit_code(
    run: Run, script: Script, reply: dict[str, Any], code: int, outcome: str
) -> None:
    result = run(f"chat 'a b' -o json -m {script(reply)}", code=code).json()
    assert result["outcome"] == outcome
    assert (result["result"] or "").strip() == reply.get("text", "").strip()


def test_a_failed_answer_keeps_its_partial_text_and_the_session_goes_on(run: Run, script: Script) -> None:
    model = script(
        {"text": "half an", "error": {"kind": "temporary", "message": "the connection broke"}},
        {"text": "a whole answer"},
    )
    run(f"chat 'a b' -m {model}", code=75)
    run("chat -c more")
    messages = run("sessions messages -o json").json()
    assert [(message["text"], message["status"]) for message in messages] == [
        ("a b", "complete"),
        ("half an", "failed"),
        ("more", "complete"),
        ("a whole answer", "complete"),
    ]


def test_a_failed_request_is_retried_while_nothing_was_said(run: Run, script: Script) -> None:
    model = script(
        {"text": "ok", "error": {"status": 503, "message": "busy", "times": 1, "retry_after": 0.01}}
    )
    result = run(f"chat 'a b' -o json -m {model}").json()
    assert result["result"] == "ok"
    assert "retrying" in result["warnings"][0]["message"]


def test_the_run_stops_at_its_step_limit_and_the_last_calls_are_recorded(run: Run, script: Script) -> None:
    replies = [
        {"text": f"step {n}", "tool_calls": [{"name": "calculator", "arguments": {"expression": f"{n}+1"}}]}
        for n in range(5)
    ]
    result = run(f"chat 'a b' --max-steps 2 -o json -m {script(*replies)}", code=8).json()
    assert (result["outcome"], result["result"], result["num_turns"]) == ("limit", "step 1", 2)
    assert [call["success"] for call in result["tool_calls"]] == [True, True]
    assert result["warnings"][0]["kind"] == "limit"


def test_the_same_call_a_third_time_ends_the_run(run: Run, script: Script) -> None:
    call = {"name": "calculator", "arguments": {"expression": "1+1"}}
    result = run(f"chat 'a b' -o json -m {script(*[{'text': 'x', 'tool_calls': [call]}] * 6)}", code=8).json()
    assert result["num_turns"] == 3
    assert [entry["success"] for entry in result["tool_calls"]] == [True, True, False]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ({"name": "nothing", "arguments": {}}, 'there is no tool "nothing"'),
        ({"name": "calculator", "arguments": {"expresion": "1"}}, "expresion"),
        ({"name": "calculator", "arguments": "{broken"}, "not a JSON object"),
        ({"name": "calculator", "arguments": {"expression": "1/0"}}, "zero"),
    ],
)
def test_what_is_wrong_with_a_call_goes_back_to_the_model(
    run: Run, script: Script, call: dict[str, Any], error: str
) -> None:
    model = script({"tool_calls": [call]}, {"match": "(?i)error", "text": "I see."})
    result = run(f"chat 'a b' -o json -m {model}").json()
    assert result["result"] == "I see."
    assert error in result["tool_calls"][0]["error"]


def test_calls_of_one_step_keep_their_order_in_the_history(run: Run, script: Script) -> None:
    calls = [{"name": "calculator", "arguments": {"expression": f"{n}*2"}} for n in range(8)]
    run(f"chat 'a b' -m {script({'tool_calls': calls}, {'text': 'done'})}")
    answered = run("sessions messages -o json").json()[2]["parts"]
    assert [json.loads(part["text"])["result"] for part in answered] == [str(n * 2) for n in range(8)]


def test_a_name_that_a_model_made_up_takes_one_line(run: Run, script: Script) -> None:
    calls = [{"name": "long" * 5_000, "arguments": {}}]
    outcome = run(f"chat 'a b' -m {script({'tool_calls': calls}, {'text': 'done'})}")
    shown = next(line for line in outcome.stderr.splitlines() if line.startswith("· "))
    assert shown.startswith("· longlong")
    assert len(shown) < 200


def test_no_tools_means_none_are_offered(run: Run, script: Script) -> None:
    events = run(f"chat 'a b' --no-tools -o stream-json -m {script({'text': 'ok'})}").stdout.splitlines()
    assert json.loads(events[0])["tools"] == []


def test_continue_and_session_exclude_each_other(run: Run) -> None:
    assert "exclude each other" in run("chat -c -s @last x", code=2).stderr


def test_global_flags_work_on_either_side_of_the_command(run: Run, tmp_path: Path) -> None:
    run(f"--db {tmp_path}/a.db sessions list")
    run(f"sessions list --db {tmp_path}/b.db")
    assert (tmp_path / "a.db").exists()
    assert (tmp_path / "b.db").exists()


def test_quiet_leaves_only_errors_on_stderr(run: Run, script: Script) -> None:
    outcome = run(f"chat 'a b' --quiet -m {script(CALCULATE, {'text': 'ok'})}")
    assert outcome.stderr == ""


def test_a_timeout_ends_the_run_with_its_own_code_and_keeps_the_text(run: Run, script: Script) -> None:
    model = script({"text": ["one ", "two ", "three"], "chunk_delay": 5})
    result = run(f"chat 'a b' --timeout 0.5 -o json -m {model}", code=124).json()
    assert (result["outcome"], result["result"]) == ("timeout", "one ")
