"""`agentctl chat` against a real server on loopback: what is sent, what breaks, what titles cost."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Outcome
from tests.loopback import Received, Response, Server, json_body, said

Run = Callable[..., Outcome]

PROVIDER = """\
providers:
  - {{slug: here, kind: openai, base_url: '{url}/v1', api_key_env: HERE_KEY}}
agents:
  - {{slug: default, name: Default, is_default: true, title_strategy: {strategy}, tools: [calculator]}}
tools:
  - {{slug: calculator, name: Calculator, type: calculator}}
"""


@pytest.fixture
def declare(run: Run, tmp_path: Path, environ: dict[str, str]) -> Callable[..., None]:
    """Apply files that declare the server as provider `here`."""

    def call(server: Server, *, strategy: str = "none") -> None:
        environ["HERE_KEY"] = "sk-here-0123456789"
        (tmp_path / "agents.yaml").write_text(PROVIDER.format(url=server.url, strategy=strategy))
        run("apply --yes")

    return call


def by_purpose(answer: Response, title: Response) -> Callable[[Received], Response]:
    """Answer requests for a title with `title`, all others with `answer`."""

    def choose(request: Received) -> Response:
        system = request.json["messages"][0]["content"]
        return title if "name texts" in system else answer

    return choose


def call_calculator(expression: str) -> list[str]:
    from tests.loopback import events

    call = {
        "index": 0,
        "id": "call_x",
        "function": {"name": "calculator", "arguments": f'{{"expression": "{expression}"}}'},
    }
    return events(
        {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    )


def test_a_tool_conversation_goes_over_the_wire_with_calls_and_results_in_pairs(
    run: Run, declare: Callable[..., None]
) -> None:
    with Server(Response(call_calculator("37*91")), Response(said("It is ", "3367."))) as server:
        declare(server)
        assert run("chat 'What is 37*91?' -m here/x").stdout == "It is 3367.\n"
    first, second = (request.json for request in server.requests)
    assert first["tools"][0]["function"]["name"] == "calculator"
    *_, assistant, tool = second["messages"]
    assert tool["tool_call_id"] == assistant["tool_calls"][0]["id"]
    assert "3367" in tool["content"]
    assert server.requests[0].headers["authorization"] == "Bearer sk-here-0123456789"


def test_all_steps_of_a_run_share_one_connection(run: Run, declare: Callable[..., None]) -> None:
    with Server(Response(call_calculator("37*91")), Response(said("3367."))) as server:
        declare(server)
        run("chat 'What is 37*91?' -m here/x")
    assert (len(server.requests), server.connections) == (2, 1)


def test_a_server_that_never_ends_a_whole_answer_is_not_waited_for(
    run: Run, declare: Callable[..., None]
) -> None:
    calls, answer = [*call_calculator("37*91"), 300.0], [*said("3367."), 300.0]
    with Server(Response(calls), Response(answer)) as server:
        declare(server)
        began = time.monotonic()
        assert run("chat 'What is 37*91?' -m here/x").stdout == "3367.\n"
    assert time.monotonic() - began < 60
    assert server.connections == 2


def test_the_key_stands_in_no_file_and_no_output(
    run: Run, declare: Callable[..., None], environ: dict[str, str]
) -> None:
    refusal = json_body({"error": {"message": "bad key sk-here-0123456789", "code": "invalid_api_key"}}, 401)
    with Server(refusal) as server:
        declare(server)
        outcome = run("chat 'a b' -m here/x -o json", code=7)
    assert "HERE_KEY" in outcome.stderr
    kept = b"".join(path.read_bytes() for path in Path(environ["AGENTCTL_HOME"]).iterdir())
    for place in (outcome.stdout, outcome.stderr, run("export").stdout):
        assert "sk-here" not in place
    assert b"sk-here" not in kept


def test_a_missing_key_is_said_before_anything_is_stored(
    run: Run, declare: Callable[..., None], environ: dict[str, str]
) -> None:
    with Server(Response(said("hi"))) as server:
        declare(server)
        del environ["HERE_KEY"]
        outcome = run("chat 'a b' -m here/x", code=7)
    assert "HERE_KEY" in outcome.stderr
    assert server.requests == []
    assert run("sessions list -o json").json() == []


def test_a_command_that_prints_the_key_is_asked_once(
    run: Run, declare: Callable[..., None], tmp_path: Path
) -> None:
    with Server(by_purpose(Response(said("hello")), Response(said("A title")))) as server:
        declare(server, strategy="llm")
        counting = f"echo x >> {tmp_path}/count; echo sk-from-command-0123"
        agents = tmp_path / "agents.yaml"
        command = json.dumps(["sh", "-c", counting])
        agents.write_text(agents.read_text().replace("api_key_env: HERE_KEY", f"api_key_cmd: {command}"))
        run("apply --yes")
        run("chat 'a b' -m here/x")
    assert (tmp_path / "count").read_text() == "x\n"
    assert {request.headers["authorization"] for request in server.requests} == {
        "Bearer sk-from-command-0123"
    }


def test_a_signal_ends_the_command_that_prints_a_key(
    declare: Callable[..., None], start: Callable[..., subprocess.Popen[bytes]], run: Run, tmp_path: Path
) -> None:
    with Server(Response(said("hello"))) as server:
        declare(server)
        agents = tmp_path / "agents.yaml"
        agents.write_text(agents.read_text().replace("api_key_env: HERE_KEY", "api_key_cmd: [sleep, '9']"))
        run("apply --yes")
        process = start("chat 'a b' -m here/x -o json")
        time.sleep(2)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=5)
    assert json.loads(out)["exit_code"] == process.returncode == 143
    assert server.requests == []


def test_the_output_limit_of_a_model_is_sent(run: Run, declare: Callable[..., None], tmp_path: Path) -> None:
    with Server(Response(said("hello"))) as server:
        declare(server)
        (tmp_path / "tools.yaml").write_text(
            "models: [{slug: small, provider: here, name: x, max_output_tokens: 77}]\n"
        )
        run("apply --yes")
        run("chat 'a b' -m small")
    assert server.requests[0].json["max_tokens"] == 77


def test_a_connection_that_breaks_keeps_the_text_and_is_temporary(
    run: Run, declare: Callable[..., None]
) -> None:
    with Server(Response(said("half ", "an answer")[:2], cut=True), Response(said("whole"))) as server:
        declare(server)
        assert run("chat 'a b' -m here/x", code=75).stdout == "half an answer\n"
        assert run("sessions messages -o json").json()[1]["status"] == "failed"
        assert run("chat -c again").stdout == "whole\n"


def test_nobody_listening_is_temporary_and_names_the_address(run: Run, declare: Callable[..., None]) -> None:
    with Server() as server:
        declare(server)
    outcome = run("chat 'a b' -m here/x --timeout 20", code=75)
    assert str(server.port) in outcome.stderr


def test_a_page_instead_of_an_answer_names_the_url(run: Run, declare: Callable[..., None]) -> None:
    page = Response(["<!doctype html><html>Sign in</html>"], headers={"content-type": "text/html"})
    with Server(page) as server:
        declare(server)
        outcome = run("chat 'a b' -m here/x", code=13)
    assert f"127.0.0.1:{server.port}/v1/chat/completions" in outcome.stderr


def test_a_server_that_drips_ends_at_the_deadline(run: Run, declare: Callable[..., None]) -> None:
    drip: list[Any] = [said("x")[0], *[0.2, ": keep-alive\n\n"] * 200]
    with Server(Response(drip)) as server:
        declare(server)
        assert run("chat 'a b' -m here/x --timeout 1", code=124).stdout == "x\n"


def test_a_title_is_made_beside_the_answer(run: Run, declare: Callable[..., None]) -> None:
    titled = by_purpose(Response(said("hello")), Response(said('"A short ', 'title."')))
    with Server(titled) as server:
        declare(server, strategy="llm")
        run("chat 'a b' -m here/x")
        run("chat -c again")
    assert run("sessions list -o json").json()[0]["title"] == "A short title"
    # The second turn found a title and asked for none.
    assert len(server.requests) == 3


@pytest.mark.parametrize("title", [json_body({"error": "no"}, 500), Response(said("")), Response(drop=True)])
def test_a_title_that_fails_changes_nothing(run: Run, declare: Callable[..., None], title: Response) -> None:
    with Server(by_purpose(Response(said("hello")), title)) as server:
        declare(server, strategy="llm")
        outcome = run("chat 'first words' -m here/x")
    assert (outcome.stdout, outcome.stderr) == ("hello\n", "")
    (session,) = run("sessions list -o json").json()
    assert session["title"] == "first words"
    assert run(f"sessions show {session['id']} -o json").json()["title"] == "first words"


def test_a_title_that_never_ends_delays_the_exit_by_two_seconds_at_most(
    declare: Callable[..., None], start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    with Server(by_purpose(Response(said("hello")), Response([60.0]))) as server:
        declare(server, strategy="llm")
        process = start("chat 'a b' -m here/x")
        assert process.stdout is not None
        assert process.stdout.readline() == b"hello\n"
        answered = time.monotonic()
        process.communicate(timeout=30)
        waited = time.monotonic() - answered
    assert process.returncode == 0
    # Two seconds, and room for a busy machine; the title itself would take a minute.
    assert waited < 10


def test_a_title_stops_as_soon_as_it_is_said(run: Run, declare: Callable[..., None]) -> None:
    endless = Response(["".join(said("Title line\n")[:1]), 60.0])
    with Server(by_purpose(Response(said("hello")), endless)) as server:
        declare(server, strategy="llm")
        run("chat 'a b' -m here/x")
    assert run("sessions list -o json").json()[0]["title"] == "Title line"
