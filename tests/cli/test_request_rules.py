"""What the rules of requests mean for a whole run: no server can make it ask for ever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from tests.loopback import Response, Server, events, said

Run = Callable[..., Outcome]

FILE = """\
providers: [{{slug: here, kind: openai, base_url: '{url}'}}]
tools: [{{slug: calculator, name: Calculator, type: calculator}}]
agents:
  - {{slug: default, name: Default, is_default: true, title_strategy: none,
     max_step_count: 4, tools: [calculator]}}
"""


@pytest.fixture
def chat(run: Run, tmp_path: Path) -> Callable[..., tuple[Outcome, int]]:
    """One question to a server that always answers the same; what came of it, and how often it was asked."""

    def call(response: Response, *, code: int) -> tuple[Outcome, int]:
        with Server(response) as server:
            (tmp_path / "agents.yaml").write_text(FILE.format(url=server.url))
            run("apply --yes")
            outcome = run('chat -m here/m "a question"', code=code)
            return outcome, len(server.requests)

    return call


def cut_call(finish: str) -> Response:
    call = {"index": 0, "id": "c", "function": {"name": "calculator", "arguments": '{"expression": "1'}}
    return Response(events({"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": finish}]}))


def test_q22_a_call_that_never_comes_ends_the_run(chat: Callable[..., tuple[Outcome, int]]) -> None:
    _, requests = chat(Response(said(finish="tool_calls")), code=9)
    assert requests == 1


def test_q22_what_was_said_before_a_call_that_never_comes_is_the_answer(
    chat: Callable[..., tuple[Outcome, int]],
) -> None:
    outcome, requests = chat(Response(said("Let me look.", finish="tool_calls")), code=0)
    assert (outcome.stdout, requests) == ("Let me look.\n", 1)


def test_q23_a_call_that_was_cut_at_the_limit_ends_the_run(
    chat: Callable[..., tuple[Outcome, int]],
) -> None:
    outcome, requests = chat(cut_call("length"), code=8)
    assert requests == 1
    assert "max_tokens" in outcome.stderr


def test_q23_a_call_that_comes_broken_every_time_is_not_asked_for_for_ever(
    chat: Callable[..., tuple[Outcome, int]],
) -> None:
    _, requests = chat(cut_call("tool_calls"), code=8)
    assert 1 < requests <= 4
