from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.message import Message, Text, ToolOutput, Usage
from agentctl.domain.model import Model, Provider
from agentctl.errors import AgentctlError, ConfigError, NotFound
from agentctl.providers.attempts import stream_with_retries
from agentctl.providers.base import Delta, Notice, Reply, Runtime, StreamItem, WireCall
from agentctl.providers.script.adapter import ScriptAdapter
from agentctl.providers.script.replies import split_words
from tests.providers.asking import collect, make_request


class Play:
    """A script in a file, asked anew for each history, as a new process would."""

    def __init__(self, path: Path, runtime: Runtime) -> None:
        self.path = path
        self.runtime = runtime

    def adapter(self) -> ScriptAdapter:
        return ScriptAdapter(Provider("script", "script"), self.runtime)

    def request(self, *texts: str, **values: Any) -> Any:
        """Users and assistants take turns in `texts`."""
        roles = ("user", "assistant")
        messages = tuple(Message(roles[i % 2], (Text(text),)) for i, text in enumerate(texts))  # type: ignore[arg-type]
        model = Model("s", "script", str(self.path))
        return make_request(**{"messages": messages, "model": model, **values})

    def items(self, *texts: str, **values: Any) -> list[StreamItem]:
        return collect(self.adapter(), self.request(*texts, **values))

    def reply(self, *texts: str, **values: Any) -> Reply:
        reply = self.items(*texts, **values)[-1]
        assert isinstance(reply, Reply)
        return reply


@pytest.fixture
def play(tmp_path: Path, runtime: Runtime) -> Any:
    def write(text: str) -> Play:
        path = tmp_path / "replies.yaml"
        path.write_text(text, encoding="utf-8")
        return Play(path, runtime)

    return write


def test_a_text_is_streamed_word_by_word_and_a_list_as_it_is(play: Any) -> None:
    script = play("replies:\n- text: Hello my world\n- text: ['It is', ' 3', '367.']\n")
    assert script.items("a") == [
        Delta("text", "Hello"),
        Delta("text", " my"),
        Delta("text", " world"),
        Reply("Hello my world"),
    ]
    assert [item.text for item in script.items("a", "b", "c")[:-1]] == ["It is", " 3", "367."]


@pytest.mark.parametrize("text", ["", "a", " a  b\n\nc ", "你好世界" * 20, "x" * 100, "\n", "🌍 🌍"])
def test_cutting_into_words_loses_nothing(text: str) -> None:
    pieces = split_words(text)
    assert "".join(pieces) == text
    assert all(len(piece.strip()) <= 12 for piece in pieces)


def test_the_number_of_answers_so_far_is_the_index(play: Any) -> None:
    script = play("replies:\n- text: one\n- text: two\n")
    assert script.reply("a").text == "one"
    assert script.reply("a", "one", "b").text == "two"
    fault = script.reply("a", "one", "b", "two", "c").fault
    assert fault.kind == "provider"
    assert fault.message.endswith(
        'has run out: it holds 2 replies without match, and this is request 3 for one: "c"'
    )


def test_a_script_of_nothing_but_patterns_says_what_none_of_them_matches(play: Any) -> None:
    fault = play("replies:\n- {match: weather, text: sunny}\n").reply("Tell me\na " + "very " * 50).fault
    assert fault.message.endswith('none of its patterns matches "Tell me a ' + "very " * 10 + '…"')
    assert "without match" in fault.hint
    one = play("replies:\n- text: a\n").reply("a", "a", "").fault
    assert one.message.endswith('it holds 1 reply without match, and this is request 2 for one: ""')


def test_the_last_reply_may_repeat(play: Any) -> None:
    script = play("replies:\n- text: one\n- {text: two, repeat: true}\n")
    assert script.reply("a", "x", "b", "x", "c", "x", "d").text == "two"


def test_a_pattern_comes_first_and_uses_no_turn_up(play: Any) -> None:
    script = play(
        "replies:\n- text: one\n- {match: (?i)weather, text: sunny}\n- {match: w, text: w}\n- text: two\n"
    )
    assert script.reply("The Weather?").text == "sunny"
    assert script.reply("w").text == "w"
    assert script.reply("weather", "sunny", "a").text == "one"
    assert script.reply("a", "one", "weather", "sunny", "b").text == "two"


def test_a_pattern_sees_the_result_of_a_tool(play: Any) -> None:
    script = play("replies:\n- {match: ^33, text: It is that.}\n- tool_calls: [{name: calculator}]\n")
    first = script.reply("a")
    assert first.calls == (WireCall(None, "calculator", {}, "{}", True),)
    assert first.finish == "tool_calls"
    answered = (
        Message("user", (Text("a"),)),
        Message("assistant", ()),
        Message("tool", (ToolOutput("ac_1", "calculator", "3367", True),)),
    )
    assert script.reply(messages=answered).text == "It is that."


def test_calls_reasoning_usage_and_finish_come_as_written(play: Any) -> None:
    reply = play(
        """
        replies:
        - reasoning: Let me see.
          text: One moment.
          tool_calls:
          - {name: get, arguments: {x: é}, id: c1}
          - {name: get, arguments: '{"x": '}
          usage: {input: 12, output: 5, cached: 4, cache_write: 1000000000000}
          finish: length
        """
    ).reply("a")
    assert (reply.reasoning, reply.text, reply.finish) == ("Let me see.", "One moment.", "length")
    assert reply.calls == (
        WireCall("c1", "get", {"x": "é"}, '{"x": "é"}', True),
        WireCall(None, "get", None, '{"x": ', False),
    )
    assert reply.usage == Usage(input=12, output=5, cached=4, cache_write=10**12)


def test_calls_of_a_filtered_or_failed_reply_are_not_run(play: Any) -> None:
    call = "tool_calls: [{name: get}]"
    for end in ("finish: content_filter", "finish: refusal", "error: {status: 500}"):
        assert [c.run for c in play(f"replies:\n- {call}\n  {end}\n").reply("a").calls] == [False]


def test_an_error_comes_after_the_text_of_its_reply(play: Any) -> None:
    script = play("replies:\n- {text: Half, error: {status: 503, message: it broke, retry_after: 2}}\n")
    delta, reply = script.items("a")
    assert delta == Delta("text", "Half")
    fault = reply.fault
    assert (reply.text, reply.finish) == ("Half", "error")
    assert (fault.kind, fault.status, fault.message, fault.retryable, fault.retry_after) == (
        "temporary",
        503,
        "it broke",
        True,
        2,
    )


@pytest.mark.parametrize(
    ("error", "kind", "retryable"),
    [
        ("{status: 401}", "credentials", False),
        ("{status: 400}", "provider", False),
        ("{kind: temporary}", "temporary", True),
        ("{kind: timeout}", "timeout", False),
        ("{kind: refusal}", "refusal", False),
    ],
)
def test_a_status_or_a_kind_says_which_error(play: Any, error: str, kind: str, retryable: bool) -> None:
    fault = play(f"replies:\n- error: {error}\n").reply("a").fault
    assert (fault.kind, fault.retryable, fault.message) == (kind, retryable, "scripted error")


def test_the_code_of_an_error_says_more_than_its_status(play: Any) -> None:
    full = play("replies:\n- error: {status: 400, code: context_length_exceeded}\n").reply("a").fault
    assert (full.kind, full.status, full.overflows, full.retryable) == ("provider", 400, True, False)
    broke = play("replies:\n- error: {status: 429, code: insufficient_quota}\n").reply("a").fault
    assert (broke.kind, broke.retryable) == ("credentials", False)
    plain = play("replies:\n- error: {status: 429}\n").reply("a").fault
    assert (plain.kind, plain.retryable, plain.overflows) == ("temporary", True, False)


def test_an_error_with_times_gives_way_to_the_text(play: Any) -> None:
    script = play("replies:\n- {text: Back again, error: {status: 429, times: 2}}\n")

    async def run() -> list[StreamItem]:
        async def sleep(seconds: float) -> None:
            pass

        return [i async for i in stream_with_retries(script.adapter(), script.request("a"), sleep=sleep)]

    items = asyncio.run(run())
    assert [type(item) for item in items] == [Notice, Notice, Delta, Delta, Reply]
    assert items[-1] == Reply("Back again")


def test_delays_are_kept_and_can_be_cancelled(play: Any) -> None:
    start = time.monotonic()
    play("replies:\n- {text: a b c, delay: 0.1, chunk_delay: 0.05}\n").reply("x")
    assert time.monotonic() - start >= 0.2
    script = play("replies:\n- {text: a, delay: 60}\n")

    async def run() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                _ = [item async for item in script.adapter().stream(script.request("x"))]

    asyncio.run(run())


def test_plain_text_has_its_own_answer_and_uses_no_turn_up(play: Any) -> None:
    assert play("replies:\n- text: one\n").reply("a", purpose="text").text == "Scripted conversation"
    script = play("plain_text: A title\nreplies:\n- {match: a, text: one}\n")
    assert script.reply("a", purpose="text").text == "A title"


def test_the_path_is_relative_to_the_current_folder(
    play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = play("replies:\n- text: one\n")
    monkeypatch.chdir(tmp_path)
    assert script.reply("a", model=Model("s", "script", "replies.yaml")).text == "one"
    with pytest.raises(NotFound, match=r"missing\.yaml"):
        script.reply("a", model=Model("s", "script", "missing.yaml"))


MISTAKES = [
    ("- a\n", "1:1: write a mapping of replies, plain_text"),
    ("replies: []\n", "1:10: replies must be a list with an entry at least"),
    ("reply: []\n", '1:1: unknown key "reply" (did you mean "replies"?)'),
    ("replies:\n- text: 5\n", "2:9: text must be text, or a list of texts"),
    ("replies:\n- texts: a\n", '2:3: unknown key "texts" (did you mean "text"?)'),
    ("replies:\n- match: a\n", "2:3: a reply needs text, reasoning, tool_calls or error"),
    ("replies:\n- {text: a, match: '('}\n", "2:20: match must be a regular expression: "),
    ("replies:\n- {text: a, delay: -1}\n", "2:20: delay must be a number of seconds, 0 or more"),
    ("replies:\n- {text: a, finish: error}\n", "2:21: finish must be one of stop, length, "),
    ("replies:\n- {text: a, usage: {input: 1.5}}\n", "2:28: input must be a whole number, 0 or more"),
    (
        "replies:\n- {text: a, usage: {output: 1000000000001}}\n",
        "2:29: output must be at most 1,000,000,000,000 tokens",
    ),
    ("replies:\n- error: {kind: limit, code: x}\n", "2:30: a code goes with a status"),
    ("replies:\n- error: {status: 400, code: 5}\n", "2:30: code must be text"),
    ("replies:\n- error: {}\n", "2:10: an error needs a status or a kind, and not both"),
    ("replies:\n- error: {status: 500, kind: limit}\n", "2:10: an error needs a status or a kind"),
    ("replies:\n- error: {status: 200}\n", "2:19: status must be an HTTP status from 400 to 599"),
    ("replies:\n- error: {kind: bad}\n", "2:17: kind must be one of provider, temporary, "),
    ("replies:\n- tool_calls: {}\n", "2:15: tool_calls must be a list"),
    ("replies:\n- tool_calls: [{}]\n", "2:16: a call needs a name"),
    ("replies:\n- tool_calls: [{name: a, arguments: 1}]\n", "2:37: arguments must be a mapping, or a text"),
    (
        "replies:\n- {text: a, repeat: true}\n- text: b\n",
        "2:21: only the last reply without match can repeat",
    ),
    ("replies:\n- {text: a, match: a, repeat: true}\n", "2:31: only the last reply without match can repeat"),
    ("replies: [\n", "2:1: "),
]


@pytest.mark.parametrize(("text", "words"), MISTAKES)
def test_a_mistake_is_named_with_its_place(play: Any, text: str, words: str) -> None:
    script = play(text)
    with pytest.raises(ConfigError) as caught:
        script.reply("a")
    assert any(problem.startswith(f"{script.path}:{words}") for problem in caught.value.problems)


def test_all_mistakes_are_told_at_once(play: Any) -> None:
    with pytest.raises(AgentctlError) as caught:
        play("replies:\n- {text: 1}\n- {text: a, delay: x}\n").reply("a")
    assert isinstance(caught.value, ConfigError)
    assert len(caught.value.problems) == 2
