"""`chat --record` and `--replay`: the same bytes again, without network, key or declaration."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.tool import Tool
from agentctl.store import Store
from tests.conftest import Outcome
from tests.loopback import Response, Server, events, json_body, said
from tests.terminal import Terminal

Run = Callable[..., Outcome]
Script = Callable[..., str]
KEY = "sk-loopback-0123456789abcdef"


def calls(*named: tuple[str, dict[str, Any]]) -> Response:
    """A streamed answer that calls tools, after some text that is cut within a character."""
    deltas: list[Any] = [
        {"choices": [{"index": 0, "delta": {"content": "讓我想想。"}, "finish_reason": None}]}
    ]
    for index, (name, arguments) in enumerate(named):
        call = {
            "index": index,
            "id": f"call_{index}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        deltas.append({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]})
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    usage = {"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 7}}
    body = "".join(events(*deltas, end, usage)).encode()
    return Response([body[:70], 0.02, body[70:71], 0.02, body[71:]])


TWO_TOOLS = (
    calls(("calculator", {"expression": "37*91"}), ("uuid", {})),
    calls(("datetime", {"action": "now"})),
    Response([*said("It ", "is ", "3367.")[:2], 0.02, *said("It ", "is ", "3367.")[2:]]),
)


@pytest.fixture
def declare(run: Run, tmp_path: Path) -> Callable[[str], None]:
    """Apply a provider `mine` at an address, with a key in MINE_KEY."""

    def apply(url: str) -> None:
        run("init")
        (tmp_path / "mine.yaml").write_text(
            f"providers: [{{slug: mine, kind: openai, base_url: '{url}/v1', api_key_env: MINE_KEY}}]\n"
            "models: [{slug: m, provider: mine, name: big, input_price: 1.5, output_price: 2}]\n"
        )
        run("apply --yes -f agents.yaml -f tools.yaml -f mine.yaml")

    return apply


def fresh(tmp_path: Path, name: str = "fresh") -> dict[str, str]:
    """An environment of another, empty home, where no proxy and no server can be reached."""
    return {"AGENTCTL_HOME": str(tmp_path / name), "ALL_PROXY": "http://127.0.0.1:9"}


def record(run: Run, server_url: str, declare: Callable[[str], None], line: str, **values: Any) -> Outcome:
    declare(server_url)
    return run(line, env={"MINE_KEY": KEY}, **values)


@pytest.mark.parametrize("form", ["json", "stream-json", "text"])
def test_a_replay_in_a_fresh_home_gives_the_recorded_bytes(
    run: Run, agentctl: Run, declare: Callable[[str], None], tmp_path: Path, form: str
) -> None:
    with Server(*TWO_TOOLS) as server:
        recorded = record(run, server.url, declare, f"chat -m m --record r.jsonl -o {form} 'What is 37*91?'")
    replayed = agentctl(f"chat --replay r.jsonl -o {form} 'What is 37*91?'", env=fresh(tmp_path))
    assert replayed.stdout == recorded.stdout
    assert len(server.requests) == 3
    assert "3367" in recorded.stdout


def test_a_recording_is_private_and_holds_no_key(
    run: Run, declare: Callable[[str], None], tmp_path: Path
) -> None:
    half = len(KEY) // 2
    said_key = said(f"your key is {KEY}")[0]
    cut = said_key.index(KEY) + half
    answer = Response([said_key[:cut], 0.02, said_key[cut:], *said()])
    with Server(answer) as server:
        record(run, server.url, declare, f"chat -m m --record r.jsonl 'Is {KEY} my key?'")
    path = tmp_path / "r.jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert KEY not in text
    assert KEY[half:] not in text
    assert "authorization" not in text.lower()
    assert "Is *** my key?" in text


def test_the_first_request_that_differs_ends_the_run_with_a_diff(
    run: Run, declare: Callable[[str], None], tmp_path: Path
) -> None:
    with Server(*TWO_TOOLS) as server:
        record(run, server.url, declare, "chat -m m --record r.jsonl 'What is 37*91?'")
    outcome = run("chat --replay r.jsonl -o json 'What is 38*91?'", code=13, env=fresh(tmp_path))
    assert "request 1 in turn 1 of " in outcome.stderr
    assert '-        "content": "What is 37*91?"' in outcome.stderr
    assert '+        "content": "What is 38*91?"' in outcome.stderr
    error = outcome.json()["error"]
    assert (error["kind"], error["retryable"]) == ("provider", False)


def test_the_turns_of_a_session_are_replayed_by_their_number(
    run: Run, agentctl: Run, declare: Callable[[str], None], tmp_path: Path
) -> None:
    answers = (calls(("uuid", {})), Response(said("One.")), Response(said("Two.")))
    first, second = "-o json 'the first'", "-c -o json 'the second'"
    with Server(*answers) as server:
        declare(server.url)
        recorded = [
            run(f"chat -m m --record r.jsonl {first}", env={"MINE_KEY": KEY}),
            run(f"chat -m m --record r.jsonl {second}", env={"MINE_KEY": KEY}),
        ]
    env = fresh(tmp_path)
    replayed = [agentctl(f"chat --replay r.jsonl {line}", env=env) for line in (first, second)]
    assert [each.stdout for each in replayed] == [each.stdout for each in recorded]
    assert "no turn 3 (it has 1, 2)" in run("chat -c --replay r.jsonl 'and?!'", code=6, env=env).stderr


def test_in_the_recorded_database_a_replay_has_ids_of_its_own(
    run: Run, declare: Callable[[str], None]
) -> None:
    answers = (calls(("uuid", {})), Response(said("One.")), Response(said("Two.")))
    with Server(*answers) as server:
        record(run, server.url, declare, "chat -m m --record r.jsonl -o json 'the first'")
        recorded = run("chat -m m -c --record r.jsonl -o json 'the second'", env={"MINE_KEY": KEY}).json()
    run("chat --replay r.jsonl 'the first'")
    replayed = run("chat -c --replay r.jsonl -o json 'the second'").json()
    assert replayed["result"] == recorded["result"] == "Two."
    assert replayed["session_id"] != recorded["session_id"]


def test_retries_are_recorded_and_a_replay_waits_for_none(
    run: Run, agentctl: Run, declare: Callable[[str], None], tmp_path: Path
) -> None:
    refused = json_body({"error": {"message": "slow down"}}, 429)
    with Server(refused, Response(drop=True), Response(said("At last."))) as server:
        recorded = record(
            run, server.url, declare, "chat -m m --record r.jsonl -o stream-json 'Are you there?'"
        )
    replayed = agentctl("chat --replay r.jsonl -o stream-json 'Are you there?'", env=fresh(tmp_path))
    assert replayed.stdout == recorded.stdout
    assert "retrying in" in recorded.stdout


def test_an_answer_that_breaks_off_breaks_off_again(
    run: Run, agentctl: Run, declare: Callable[[str], None], tmp_path: Path
) -> None:
    with Server(Response(said("Half an ", finish=None)[:1], cut=True)) as server:
        recorded = record(run, server.url, declare, "chat -m m --record r.jsonl -o json 'Go on.'", code=75)
    replayed = agentctl("chat --replay r.jsonl -o json 'Go on.'", code=75, env=fresh(tmp_path))
    assert replayed.stdout == recorded.stdout


def test_a_refused_key_is_told_again_and_kept_nowhere(
    run: Run, declare: Callable[[str], None], tmp_path: Path
) -> None:
    said_no = {"error": {"message": f"Incorrect API key provided: {KEY[:8]}*****{KEY[-4:]}"}}
    with Server(json_body(said_no, 401)) as server:
        recorded = record(run, server.url, declare, "chat -m m --record r.jsonl -o json 'Let me in.'", code=7)
    replayed = run("chat --replay r.jsonl -o json 'Let me in.'", code=7, env=fresh(tmp_path))
    assert replayed.stdout == recorded.stdout
    assert KEY[:8] not in (tmp_path / "r.jsonl").read_text()


def test_a_model_without_http_is_recorded_by_its_items(
    run: Run, agentctl: Run, script: Script, tmp_path: Path
) -> None:
    model = script(
        {"reasoning": "Hm.", "text": "Let me see.", "tool_calls": [{"name": "uuid", "arguments": {}}]},
        {"text": "Here it is: 晴れ"},
    )
    recorded = run(f"chat -m {model} --record r.jsonl -o stream-json 'An id, please'")
    (tmp_path / "replies.yaml").unlink()
    replayed = agentctl("chat --replay r.jsonl -o stream-json 'An id, please'", env=fresh(tmp_path))
    assert replayed.stdout == recorded.stdout
    changed = run("chat --replay r.jsonl 'An ID, please'", code=13, env=fresh(tmp_path, "other"))
    assert "An ID, please" in changed.stderr


def test_a_changed_tool_is_told_before_anything_runs(run: Run, script: Script, tmp_path: Path) -> None:
    model = script({"tool_calls": [{"name": "uuid", "arguments": {}}]}, {"text": "There."})
    run(f"chat -m {model} --record r.jsonl 'An id, please'")
    changed = run("chat --replay r.jsonl --no-tools 'An id, please'", code=13, env=fresh(tmp_path))
    assert "request 1 in turn 1 of" in changed.stderr
    assert '-  "tools": [' in changed.stderr


def test_live_tools_run_and_a_changed_result_shows_in_the_next_request(
    run: Run, script: Script, tmp_path: Path
) -> None:
    sure = script({"tool_calls": [{"name": "calculator", "arguments": {"expression": "1+1"}}]}, {"text": "2"})
    recorded = run(f"chat -m {sure} --record sure.jsonl -o json 'Add them!'").json()
    replayed = run("chat --replay sure.jsonl --live-tools -o json 'Add them!'", env=fresh(tmp_path)).json()
    assert replayed["result"] == recorded["result"]
    random = script({"tool_calls": [{"name": "uuid", "arguments": {}}]}, {"text": "There."})
    run(f"chat -m {random} --record random.jsonl 'An id, please'")
    env = fresh(tmp_path, "random")
    outcome = run("chat --replay random.jsonl --live-tools 'An id, please'", code=13, env=env)
    assert "request 2 in turn 1 of" in outcome.stderr
    assert "--live-tools" in run("chat --live-tools 'a b'", code=2).stderr


def test_calls_side_by_side_come_back_in_the_order_in_which_they_finished(
    run: Run, agentctl: Run, script: Script, tmp_path: Path
) -> None:
    slow = {"pattern": "(a+)+$", "text": "a" * 23 + "!"}
    model = script(
        {
            "tool_calls": [
                {"name": "regex_tester", "arguments": slow},
                {"name": "uuid", "arguments": {}},
                {"name": "calculator", "arguments": {"expression": "2+2"}},
            ]
        },
        {"text": "There."},
    )
    recorded = run(f"chat -m {model} --record r.jsonl -o stream-json 'All of it'")
    results = [
        json.loads(line)["call_id"] for line in recorded.stdout.splitlines() if '"tool.result"' in line
    ]
    called = [json.loads(line)["call_id"] for line in recorded.stdout.splitlines() if '"tool.call"' in line]
    assert results[-1] == called[0]
    replayed = agentctl("chat --replay r.jsonl -o stream-json 'All of it'", env=fresh(tmp_path))
    assert replayed.stdout == recorded.stdout


def test_what_was_recorded_and_not_asked_for_is_a_warning(run: Run, script: Script, tmp_path: Path) -> None:
    model = script({"tool_calls": [{"name": "uuid", "arguments": {}}]}, {"text": "There."})
    run(f"chat -m {model} --record r.jsonl 'An id, please'")
    outcome = run("chat --replay r.jsonl --max-steps 1 'An id, please'", code=8, env=fresh(tmp_path))
    assert "1 recorded requests not asked for" in outcome.stderr


def test_a_file_of_another_session_is_left_alone(run: Run, script: Script, tmp_path: Path) -> None:
    model = script({"text": "Yes.", "repeat": True})
    run(f"chat -m {model} --record r.jsonl 'Is it?'")
    before = (tmp_path / "r.jsonl").read_bytes()
    assert "another session" in run(f"chat -m {model} --record r.jsonl 'Is it?'", code=2).stderr
    (tmp_path / "notes.txt").write_text("mine\n")
    assert "no JSON" in run(f"chat -m {model} --record notes.txt 'Is it?'", code=5).stderr
    assert (tmp_path / "notes.txt").read_text() == "mine\n"
    assert (tmp_path / "r.jsonl").read_bytes() == before
    run("chat --replay missing.jsonl 'Is it?'", code=6)
    run("chat --replay r.jsonl --record x.jsonl 'Is it?'", code=2)


def test_a_file_that_cannot_be_a_recording_is_refused_before_anybody_is_asked(
    run: Run, script: Script, tmp_path: Path
) -> None:
    model = script({"text": "never asked for"})
    for name, why in (("x" * 300, "File name too long"), (".", "Is a directory"), ("no/r.jsonl", "No such")):
        assert why in run(f"chat 'hello there' -m {model} --record {name}", code=2).stderr


def test_an_edited_recording_is_refused_with_the_place(run: Run, script: Script, tmp_path: Path) -> None:
    run(f"chat 'hello there' -m {script({'text': 'hi'})} --record r.jsonl")
    path = tmp_path / "r.jsonl"
    path.write_text(path.read_text().replace('"finish":"stop"', '"finish":null'))
    assert "items[1].finish must be a text" in run("chat 'hello there' --replay r.jsonl", code=5).stderr


def test_what_a_killed_process_left_can_be_read_and_gone_on_with(
    run: Run, script: Script, tmp_path: Path
) -> None:
    model = script({"text": "Yes.", "repeat": True})
    run(f"chat -m {model} --record r.jsonl 'Is it?'")
    path = tmp_path / "r.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    run(f"chat -c -m {model} --record r.jsonl 'And now?'")
    env = fresh(tmp_path)
    run("chat --replay r.jsonl 'Is it?'", env=env)
    assert run("chat -c --replay r.jsonl 'And now?'", env=env).stdout == "Yes.\n"


def test_what_a_person_decided_is_decided_again(
    agentctl: Run, script: Script, environ: dict[str, str], store: Store, tmp_path: Path
) -> None:
    homes = {"home": store, "fresh": Store(tmp_path / "fresh" / "agentctl.db")}
    for database in homes.values():
        database.tools.put(Tool("calculator", "Calculator", "calculator", needs_approval=True))
        database.agents.put(Agent("default", "Default", is_default=True, tools=(AgentTool("calculator"),)))
        database.revisions.add("test", {})
    model = script(
        {"tool_calls": [{"name": "calculator", "arguments": {"expression": "1+1"}}]}, {"text": "All done."}
    )
    line = f"chat -m {model} --record r.jsonl -o stream-json 'Add them!'"
    person = Terminal(line, cwd=tmp_path, environ=environ, stdout=str(tmp_path / "recorded"))
    person.wait_for("[q] stop?")
    person.type("n\ntoo dear\n")
    assert person.end() == 0
    replayed = agentctl("chat --replay r.jsonl -o stream-json 'Add them!'", env=fresh(tmp_path))
    assert replayed.stdout == (tmp_path / "recorded").read_text()
    assert '"decision": "deny", "by": "person"' in replayed.stdout


def test_a_model_that_could_not_be_asked_is_passed_over_again(
    run: Run, agentctl: Run, tmp_path: Path, script: Script
) -> None:
    model = script({"text": "I can."})
    run("init")
    agents = (tmp_path / "agents.yaml").read_text()
    for home in ("home", "fresh"):
        changed = agents.replace(
            "  - slug: default\n", f"  - slug: default\n    default_model: [openai/x, {model}]\n"
        )
        assert changed != agents
        (tmp_path / "agents.yaml").write_text(changed)
        run("apply --yes", env={"AGENTCTL_HOME": str(tmp_path / home)})
    recorded = run("chat --record r.jsonl -o json 'Can you?'")
    replayed = agentctl("chat --replay r.jsonl -o json 'Can you?'", env=fresh(tmp_path))
    assert replayed.stdout == recorded.stdout


def test_the_example_of_the_document_works_as_it_says(run: Run, script: Script, tmp_path: Path) -> None:
    document = (Path(__file__).parents[2] / "docs" / "testing-agents.md").read_text()
    model = script({"text": "3367"}, {"text": "Half of it."})
    lines = [
        line.replace("openai/gpt-4.1-mini", model)
        for block in re.findall(r"```sh\n(.*?)```", document, re.DOTALL)
        for line in block.splitlines()
    ]
    applied, recorded, home, again, replayed, follow = lines
    assert home.startswith("export AGENTCTL_HOME=")
    run("init")
    run(applied.removeprefix("agentctl "))
    expected = run(recorded.removeprefix("agentctl ").partition(" >")[0]).stdout
    run(again.removeprefix("agentctl "), env=fresh(tmp_path))
    assert run(replayed.removeprefix("agentctl ").partition(" |")[0], env=fresh(tmp_path)).stdout == expected
    run(follow.removeprefix("agentctl "))
    changed = run("chat --replay product.jsonl 'What is 37*92?'", code=13, env=fresh(tmp_path, "changed"))
    shown = re.search(r"```\nerror: (.*?)\(\+\):\n", document, re.DOTALL)
    assert shown
    said = changed.stderr.replace(f"{tmp_path}/", "")
    assert " ".join(shown[1].split()) in " ".join(said.split())


def test_a_schema_and_a_file_are_part_of_the_request(
    run: Run, agentctl: Run, declare: Callable[[str], None], tmp_path: Path
) -> None:
    (tmp_path / "dot.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    line = "-a dot.png --schema 'n int' -o json 'How many dots?'"
    with Server(Response(said("One.")), Response(said('{"n": 1}'))) as server:
        recorded = record(run, server.url, declare, f"chat -m m --record r.jsonl {line}")
    assert agentctl(f"chat --replay r.jsonl {line}", env=fresh(tmp_path)).stdout == recorded.stdout
    assert recorded.json()["structured_result"] == {"n": 1}
    (tmp_path / "dot.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    run(f"chat --replay r.jsonl {line}", code=13, env=fresh(tmp_path, "other"))
