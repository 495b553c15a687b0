"""Whole conversations over each protocol: thoughts apart from words, and sent back where they belong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Outcome
from tests.loopback import Response, Server, said
from tests.providers.anthropic import streams as messages

Run = Callable[..., Outcome]

FILE = """\
providers:
  - {{slug: {slug}, kind: {kind}, base_url: '{url}', api_key_env: HERE_KEY}}
agents:
  - {{slug: default, is_default: true, title_strategy: none, tools: [calculator]}}
tools:
  - {{slug: calculator, type: calculator}}
"""


@pytest.fixture
def declare(run: Run, tmp_path: Path, environ: dict[str, str]) -> Callable[..., None]:
    """Apply a provider of a kind at a server."""

    def call(server: Server, slug: str, kind: str) -> None:
        environ["HERE_KEY"] = "sk-here-0123456789"
        (tmp_path / "agents.yaml").write_text(FILE.format(url=server.url, slug=slug, kind=kind))
        run("apply --yes")

    return call


def events_of(outcome: Outcome) -> list[dict[str, Any]]:
    return [json.loads(line) for line in outcome.stdout.splitlines()]


def thinking_then_call() -> list[str]:
    return messages.frame(
        messages.begin(),
        *messages.block(
            0,
            messages.THINKING,
            ("thinking", "I must "),
            ("thinking", "count"),
            ("signature", "SIG=="),
        ),
        *messages.block(
            1, messages.call("toolu_1", "calculator"), ("partial_json", '{"expression": "37*91"}')
        ),
        *messages.end("tool_use"),
    )


def test_messages_shows_thoughts_apart_and_sends_the_signature_back(
    run: Run, declare: Callable[..., None]
) -> None:
    answers = (
        Response(thinking_then_call()),
        Response(messages.frame(*messages.said("3367"))),
        Response(messages.frame(*messages.said("As I said."))),
    )
    with Server(*answers) as server:
        declare(server, "anthropic", "anthropic")
        first = events_of(run("chat 'what is 37*91?' -m anthropic/claude-x --thinking -o stream-json"))
        run("chat -c 'sure?' --thinking")
        bodies = [request.json for request in server.requests]
    thoughts = "".join(event["text"] for event in first if event["type"] == "reasoning.delta")
    words = "".join(event["text"] for event in first if event["type"] == "message.delta")
    assert (thoughts, words) == ("I must count", "3367")
    signed = {"type": "thinking", "thinking": "I must count", "signature": "SIG=="}
    for body in bodies[1:]:
        assert body["messages"][1]["content"][0] == signed
        assert body["messages"][2]["content"][0]["type"] == "tool_result"
    assert [request.headers["x-api-key"] for request in server.requests] == ["sk-here-0123456789"] * 3


def test_thoughts_never_go_to_another_model(run: Run, declare: Callable[..., None]) -> None:
    thought = [
        messages.begin(),
        *messages.block(0, messages.THINKING, ("thinking", "hm"), ("signature", "SIG==")),
        *messages.block(1, messages.TEXT, ("text", "hello")),
        *messages.end(),
    ]
    with Server(
        Response(messages.frame(*thought)), Response(messages.frame(*messages.said("bye")))
    ) as server:
        declare(server, "anthropic", "anthropic")
        run("chat 'a b' -m anthropic/claude-x --thinking")
        run("chat -c again -m anthropic/claude-y --thinking")
        assert "SIG==" not in server.requests[1].body.decode()


def test_a_paused_turn_goes_on_where_it_stopped(run: Run, declare: Callable[..., None]) -> None:
    paused = [
        messages.begin(),
        *messages.block(0, messages.TEXT, ("text", "Let me look. ")),
        *messages.end("pause_turn"),
    ]
    with Server(
        Response(messages.frame(*paused)), Response(messages.frame(*messages.said("Found.")))
    ) as server:
        declare(server, "anthropic", "anthropic")
        outcome = run("chat 'a b' -m anthropic/claude-x -o json").json()
        second = server.requests[1].json["messages"]
    assert (outcome["num_turns"], outcome["result"], outcome["exit_code"]) == (2, "Found.", 0)
    assert [message["role"] for message in second] == ["user", "assistant"]


def responses_stream() -> list[str]:
    item = {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "hello"}],
    }
    thought = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "hm"}],
        "encrypted_content": "SEALED",
    }
    usage = {"input_tokens": 5, "output_tokens": 3, "output_tokens_details": {"reasoning_tokens": 1}}
    documents = [
        {"type": "response.output_item.added", "output_index": 0, "item": {**thought, "summary": []}},
        {
            "type": "response.reasoning_summary_text.delta",
            "output_index": 0,
            "item_id": "rs_1",
            "delta": "hm",
        },
        {"type": "response.output_item.done", "output_index": 0, "item": thought},
        {"type": "response.output_item.added", "output_index": 1, "item": {**item, "content": []}},
        {"type": "response.output_text.delta", "output_index": 1, "item_id": "msg_1", "delta": "hello"},
        {"type": "response.output_item.done", "output_index": 1, "item": item},
        {
            "type": "response.completed",
            "response": {"status": "completed", "output": [thought, item], "usage": usage},
        },
    ]
    return [f"data: {json.dumps(document)}\n\n" for document in documents]


def test_responses_keeps_sealed_thoughts_for_the_next_turn(run: Run, declare: Callable[..., None]) -> None:
    with Server(Response(responses_stream())) as server:
        declare(server, "mine", "openai-responses")
        first = events_of(run("chat 'a b' -m mine/gpt-x --thinking -o stream-json"))
        run("chat -c again --thinking")
        second = server.requests[1].json["input"]
    assert [event["text"] for event in first if event["type"] == "reasoning.delta"] == ["hm"]
    assert first[-1]["result"] == "hello"
    assert first[-1]["usage"] == {"input": 5, "output": 3, "cached": 0, "reasoning": 1}
    assert [item["encrypted_content"] for item in second if item.get("type") == "reasoning"] == ["SEALED"]


HALVES: dict[str, list[str]] = {
    "anthropic": messages.frame(
        messages.begin(), messages.start(0, messages.TEXT), messages.delta(0, "text", "half an")
    ),
    "openai": said("half an", finish=None),
    "openai-responses": responses_stream()[3:5],
}


@pytest.mark.parametrize("kind", HALVES)
def test_a_network_that_dies_in_the_middle_is_75_and_keeps_the_words(
    run: Run, declare: Callable[..., None], kind: str
) -> None:
    with Server(Response(HALVES[kind], cut=True)) as server:
        declare(server, "mine", kind)
        outcome = run("chat 'a b' -m mine/x -o json", code=75).json()
        assert len(server.requests) == 1
    assert outcome["result"] in ("half an", "hello")
    assert run("sessions messages @last -o json").json()[1]["status"] == "failed"


PACKAGES = {"anthropic": "anthropic", "openai": "openai_chat", "openai-responses": "openai_responses"}
PROBE = """
import sys
from agentctl.cli.boundary import run
code = run(sys.argv[1:])
print("loaded:", *(name for name in sys.modules if name.startswith("agentctl.providers.")), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("anthropic", messages.frame(*messages.said("ok"))),
        ("openai", said("ok")),
        ("openai-responses", responses_stream()),
    ],
)
def test_a_chat_loads_nothing_of_the_protocols_that_it_does_not_use(
    environ: dict[str, str], declare: Callable[..., None], tmp_path: Path, kind: str, answer: list[str]
) -> None:
    with Server(Response(answer)) as server:
        declare(server, "mine", kind)
        done = subprocess.run(
            [sys.executable, "-c", PROBE, "chat", "a b", "-m", "mine/x"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**environ, "PYTHONPATH": str(Path(__file__).parent.parent.parent)},
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    loaded = done.stderr.rpartition("loaded:")[2].split()
    assert {name.split(".")[2] for name in loaded} & set(PACKAGES.values()) == {PACKAGES[kind]}


@pytest.mark.parametrize("kind", PACKAGES)
@pytest.mark.parametrize("body", ["[1, 2]", "[]", '["busy"]'])
def test_json_that_is_no_answer_is_refused_at_once(
    run: Run, declare: Callable[..., None], kind: str, body: str
) -> None:
    with Server(Response([body], headers={"content-type": "application/json"}, length=True)) as server:
        declare(server, "mine", kind)
        outcome = run("chat 'a b' -m mine/x", code=13)
        assert len(server.requests) == 1
    assert f"JSON that is no answer: {body}" in outcome.stderr
    assert f"{server.url}/v1" in outcome.stderr
