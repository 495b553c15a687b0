"""An agent with several models: the next answers where one is down, and that is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from tests.loopback import Response, Server, json_body, said

Run = Callable[..., Outcome]

FILE = """\
providers:
  - {{slug: first, kind: openai, base_url: '{first}/v1'{key}}}
  - {{slug: second, kind: openai, base_url: '{second}/v1'}}
agents:
  - slug: default
    is_default: true
    title_strategy: none
    default_model: [first/a, second/b]
"""


@pytest.fixture
def declare(run: Run, tmp_path: Path, environ: dict[str, str]) -> Callable[..., None]:
    """Apply an agent whose models are those of two servers."""

    def call(first: str, second: str, key: str = "") -> None:
        environ["AGENTCTL_ATTEMPTS"] = "1"
        (tmp_path / "agents.yaml").write_text(FILE.format(first=first, second=second, key=key))
        run("apply --yes")

    return call


def test_the_next_model_answers_where_one_is_down(run: Run, declare: Callable[..., None]) -> None:
    overloaded = json_body({"error": {"message": "try later"}}, 503)
    with Server(overloaded) as first, Server(Response(said("hello"))) as second:
        declare(first.url, second.url)
        result = run("chat 'a b' -o json").json()
        assert (result["result"], result["model"], result["exit_code"]) == ("hello", "second/b", 0)
        (warning,) = result["warnings"]
        assert warning["kind"] == "fallback"
        assert "first/a is down" in warning["message"]
        assert "asking second/b" in warning["message"]
        assert "try later" in run("chat 'a b'").stderr
        session = run("sessions show @last -o json").json()
    assert [one["model"] for one in session["runs"]] == ["second/b"]


def test_the_next_model_answers_where_nobody_listens(run: Run, declare: Callable[..., None]) -> None:
    with Server(Response(said("hello"))) as second:
        declare("http://127.0.0.1:9", second.url)
        assert run("chat 'a b'").stdout == "hello\n"


def test_a_model_without_a_key_is_passed_over(run: Run, declare: Callable[..., None]) -> None:
    with Server() as first, Server(Response(said("hello"))) as second:
        declare(first.url, second.url, ", api_key_env: NO_SUCH_KEY")
        outcome = run("chat 'a b'")
        assert first.requests == []
    assert outcome.stdout == "hello\n"
    assert "first/a was passed over: no key for first: set NO_SUCH_KEY" in outcome.stderr


def test_words_that_were_shown_are_never_followed_by_those_of_another_model(
    run: Run, declare: Callable[..., None]
) -> None:
    half = Response(said("half an ", finish=None), cut=True)
    with Server(half) as first, Server(Response(said("hello"))) as second:
        declare(first.url, second.url)
        outcome = run("chat 'a b'", code=75)
        assert second.requests == []
    assert outcome.stdout == "half an \n"


def test_a_request_that_is_wrong_goes_to_nobody_else(run: Run, declare: Callable[..., None]) -> None:
    wrong = json_body({"error": {"message": "bad temperature", "type": "invalid_request_error"}}, 400)
    with Server(wrong) as first, Server(Response(said("hello"))) as second:
        declare(first.url, second.url)
        run("chat 'a b'", code=13)
        assert second.requests == []


def test_when_all_are_down_the_last_word_counts(run: Run, declare: Callable[..., None]) -> None:
    down = json_body({"error": {"message": "try later"}}, 503)
    with Server(down) as first, Server(json_body({"error": {"message": "full"}}, 429)) as second:
        declare(first.url, second.url)
        error = run("chat 'a b' -o json", code=75).json()["error"]
    assert error["message"] == "second: full"


def test_a_model_that_is_named_with_a_flag_has_no_fallback(run: Run, declare: Callable[..., None]) -> None:
    with Server(json_body({}, 503)) as first, Server(Response(said("hello"))) as second:
        declare(first.url, second.url)
        run("chat 'a b' -m first/a", code=75)
        assert second.requests == []
