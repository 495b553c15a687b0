"""The rules of requests, Q01 to Q24, against servers that refuse what real ones refuse."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.message import Message, Reasoning, Text, ToolCall, ToolOutput, Usage
from agentctl.domain.model import Provider
from agentctl.providers import BUILT_IN
from agentctl.providers.attempts import stream_with_retries
from agentctl.providers.base import ModelRequest, Notice, Reply, Runtime, StreamItem
from agentctl.providers.openai_chat.adapter import OpenAIChatAdapter
from tests.loopback import Response, Server, events, json_body, said
from tests.providers.asking import make_request, make_runtime
from tests.providers.openai_chat.refusing import COMMON, RULES, Refusing

ORIGIN = "mine/m"


def user(text: str) -> Message:
    return Message("user", (Text(text),))


def turn(*parts: Any, origin: str | None = ORIGIN, **values: Any) -> Message:
    texts = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Message("assistant", texts, origin=origin, **values)


def call(call_id: str, arguments: Any = None, raw: str | None = None) -> ToolCall:
    return ToolCall(call_id, "get", {} if raw is None and arguments is None else arguments, raw)


def result(*call_ids: str) -> Message:
    return Message("tool", tuple(ToolOutput(call_id, "get", f"of {call_id}", True) for call_id in call_ids))


def ask(
    *answers: Any,
    messages: Sequence[Message] = (user("Hi"),),
    preset: Provider | None = None,
    times: int = 1,
    retries: bool = False,
    folder: Path = Path(),
    **request: Any,
) -> tuple[list[StreamItem], list[Any]]:
    """What an adapter yields for each of `times` requests, and the bodies that the server got."""

    async def run(url: str) -> list[StreamItem]:
        declared = replace(preset or Provider("mine", "openai"), slug="mine", base_url=url, api_key_env=None)
        adapter = OpenAIChatAdapter(declared, make_runtime(folder))
        asked = make_request(messages=tuple(messages), **request)
        items: list[StreamItem] = []
        for _ in range(times):
            stream = _retried(adapter, asked) if retries else adapter.stream(asked)
            items += [item async for item in stream]
        await adapter.close()
        return items

    with Server(*answers) as server:
        items = asyncio.run(run(server.url))
    return items, [received.json for received in server.requests]


def _retried(adapter: OpenAIChatAdapter, request: ModelRequest) -> Any:
    async def sleep(seconds: float) -> None:
        pass

    return stream_with_retries(adapter, request, sleep=sleep)


def accepted(*rules: str, **asked: Any) -> Any:
    """The body with which a server that keeps to `rules` was content at once."""
    items, bodies = ask(Refusing(*rules), **asked)
    reply = items[-1]
    assert isinstance(reply, Reply)
    assert reply.fault is None, reply.fault
    assert reply.text == "fine"
    (body,) = bodies
    return body


def last(items: Sequence[StreamItem]) -> Reply:
    assert isinstance(items[-1], Reply)
    return items[-1]


BAD = {
    "arguments": [{"role": "assistant", "content": None, "tool_calls": [{"function": {"arguments": {}}}]}],
    "blanks": [{"role": "user", "content": " "}],
    "ends": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b "}],
    "nine letters": [{"role": "tool", "tool_call_id": "call_1", "content": "a"}],
    "pairs": [{"role": "tool", "tool_call_id": "c", "content": "a"}],
    "reasoning": [{"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]}],
    "roles": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}],
    "signatures": [{"role": "assistant", "content": "a", "reasoning_details": [{"signature": "theirs"}]}],
    "surrogates": [{"role": "user", "content": "\ud83d"}],
    "thinking chunks": [{"role": "assistant", "content": [{"type": "thinking"}, {"type": "thinking"}]}],
    "unique ids": [{"role": "assistant", "content": None, "tool_calls": [{"id": "c"}, {"id": "c"}]}],
}


@pytest.mark.parametrize("name", RULES)
def test_the_server_refuses_what_breaks_its_rule(name: str) -> None:
    if name in BAD:
        assert RULES[name]({"messages": BAD[name]})
    else:
        parameter = name.removeprefix("extra ")
        assert RULES[name]({"messages": [], parameter: 1})
    assert RULES[name]({"messages": [{"role": "user", "content": "a"}]}) is None


def test_q01_mistral_gets_ids_of_nine_letters() -> None:
    history = [user("a"), turn(call("call_long_id_1"), call("chatcmpl-tool-2")), result("call_long_id_1")]
    body = accepted("nine letters", *COMMON, preset=BUILT_IN["mistral"], messages=[*history, user("b")])
    assert body == accepted("nine letters", preset=BUILT_IN["mistral"], messages=[*history, user("b")])


def test_q02_ids_that_repeat_in_every_turn_keep_their_own_results() -> None:
    first = [user("a"), turn(call("get:0"), call("get:1")), result("get:0", "get:1")]
    second = [user("b"), turn(call("get:0")), Message("tool", (ToolOutput("get:0", "get", "new", True),))]
    body = accepted(messages=[*first, *second, user("c")])
    results = [message["content"] for message in body["messages"] if message["role"] == "tool"]
    assert results == ["of get:0", "of get:1", "new"]


def test_q03_an_id_that_a_turn_uses_twice_is_sent_once() -> None:
    body = accepted(messages=[user("a"), turn(call("c"), call("c")), result("c", "c"), user("b")])
    results = [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"]
    assert results == [each["id"] for each in body["messages"][1]["tool_calls"]]


def test_q04_a_call_that_was_interrupted_gets_a_result() -> None:
    accepted(messages=[user("a"), turn("b", call("c"), call("d")), result("d"), user("e")])
    accepted(messages=[user("a"), turn(call("c")), user("e")])


def test_q05_a_result_whose_call_is_gone_is_left_out() -> None:
    accepted(messages=[user("a"), result("c"), turn("b"), result("d"), user("e")])


def test_q06_deepseek_gets_its_reasoning_back_with_every_call() -> None:
    thought = turn(Reasoning("I need the tool."), call("c"), replay={"reasoning_content": "I need the tool."})
    foreign = turn(Reasoning("hm"), call("d"), origin="other/m", replay={"reasoning_content": "hm"})
    history = [user("a"), thought, result("c"), turn("b"), foreign, result("d"), turn(call("e")), result("e")]
    accepted("reasoning", *COMMON, preset=BUILT_IN["deepseek"], messages=history, thinking=True)


@pytest.mark.parametrize("blank", ["", " ", "\n\t "])
def test_q07_blank_texts_are_not_sent(blank: str) -> None:
    said_nothing = turn(blank, call("c"))
    accepted(
        messages=[user("a"), turn(blank), said_nothing, result("c"), turn(blank), user(blank), user("b")]
    )


def test_q08_no_answer_ends_in_white_space() -> None:
    accepted(messages=[user("a"), turn("b \n"), user("c"), turn("d\n", call("c")), result("c")])


@pytest.mark.parametrize("raw", ['{"x": ', "[1]", "\\u0000", "{" * 2000, ""])
def test_q09_arguments_that_were_none_go_back_as_an_object(raw: str) -> None:
    body = accepted(messages=[user("a"), turn(call("c", raw=raw)), result("c")])
    (sent,) = body["messages"][1]["tool_calls"]
    assert raw in json.loads(sent["function"]["arguments"]).values()


def test_q10_no_money_is_no_reason_to_ask_again() -> None:
    for code in ("insufficient_quota", "billing_hard_limit_reached"):
        error = {"error": {"message": "You exceeded your current quota", "type": code, "code": code}}
        items, bodies = ask(json_body(error, 429, retry_after="1"), retries=True)
        assert len(bodies) == 1
        assert last(items).fault is not None
        assert last(items).fault.as_error().code == 7  # type: ignore[union-attr]


def test_q11_words_about_quota_are_a_rate_limit_like_any_other() -> None:
    error = {"message": "INSUFFICIENT QUOTA: too many concurrent requests", "type": "rate_limit"}
    items, bodies = ask(json_body({"error": error}, 429), Response(said("fine")), retries=True)
    assert (len(bodies), last(items).text) == (2, "fine")


@pytest.mark.parametrize(
    "broken", [Response(drop=True), Response(cut=True), Response([": ping\n\n"], cut=True)]
)
def test_q12_a_connection_that_breaks_before_a_word_is_tried_again(broken: Response) -> None:
    items, bodies = ask(broken, Response(said("fine")), retries=True)
    assert (len(bodies), last(items).text) == (2, "fine")


def test_q12_a_connection_that_breaks_after_a_word_keeps_it_and_says_so() -> None:
    items, bodies = ask(Response(said("Half", finish=None), cut=True), retries=True)
    reply = last(items)
    assert (len(bodies), reply.text) == (1, "Half")
    assert reply.fault is not None
    assert reply.fault.as_error().code == 75
    assert "broke" in reply.fault.message
    assert "RemoteProtocolError" not in reply.fault.message


OVERLOADED = Response(events({"error": {"message": "Overloaded", "type": "overloaded_error"}}, done=False))


def test_q13_an_overload_behind_a_good_status_is_tried_three_times_at_most() -> None:
    items, bodies = ask(OVERLOADED, OVERLOADED, Response(said("fine")), retries=True)
    assert (len(bodies), last(items).text) == (3, "fine")
    items, bodies = ask(OVERLOADED, retries=True)
    assert len(bodies) == 3
    assert [type(item) for item in items] == [Notice, Notice, Reply]
    assert last(items).fault.as_error().code == 75  # type: ignore[union-attr]


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "//v1//", "/v1/chat/completions"])
def test_q14_a_base_url_may_be_written_in_any_way(path: str, runtime: Runtime) -> None:
    with Server(Response(said("fine"))) as server:
        adapter = OpenAIChatAdapter(Provider("mine", "openai", server.url + path), runtime)
        assert asyncio.run(_consume(adapter)).text == "fine"
    assert [received.target for received in server.requests] == ["/v1/chat/completions"]


def test_q14_a_wrong_base_url_is_named_as_it_was_asked(runtime: Runtime) -> None:
    with Server(json_body({"detail": "Not Found"}, 404)) as server:
        reply = asyncio.run(
            _consume(OpenAIChatAdapter(Provider("mine", "openai", f"{server.url}/api"), runtime))
        )
    assert reply.fault is not None
    assert f"{server.url}/api/chat/completions" in reply.fault.message
    assert "base_url" in (reply.fault.hint or "")


async def _consume(adapter: OpenAIChatAdapter) -> Reply:
    items = [item async for item in adapter.stream(make_request())]
    await adapter.close()
    return last(items)


def test_q15_openai_gets_the_limit_under_its_new_name() -> None:
    body = accepted("max_tokens", preset=BUILT_IN["openai"], max_output=9)
    assert body["max_completion_tokens"] == 9


@pytest.mark.parametrize(
    ("rule", "sent", "kept"),
    [
        ("max_tokens", {"max_tokens": 9}, "max_completion_tokens"),
        ("extra max_completion_tokens", {"max_completion_tokens": 9}, "max_tokens"),
        ("temperature", {"temperature": 0, "top_p": 1}, "top_p"),
    ],
)
def test_q15_a_parameter_that_a_model_refuses_is_left_out_once_and_for_all(
    rule: str, sent: dict[str, Any], kept: str
) -> None:
    items, bodies = ask(Refusing(rule), options=sent, times=2)
    assert [item.text for item in items if isinstance(item, Reply)] == ["fine", "fine"]
    assert len(bodies) == 3
    assert all(kept in body for body in bodies[1:])


def test_q15_thinking_is_left_out_where_a_model_has_none() -> None:
    items, bodies = ask(Refusing("reasoning_effort"), preset=BUILT_IN["openai"], thinking=True)
    assert (last(items).text, len(bodies)) == ("fine", 2)
    assert bodies[0]["reasoning_effort"] == "medium"


def test_q16_usage_is_not_asked_for_where_that_is_unknown() -> None:
    items, bodies = ask(Refusing("extra stream_options"), times=2)
    assert [item.text for item in items if isinstance(item, Reply)] == ["fine", "fine"]
    assert ["stream_options" in body for body in bodies] == [True, False, False]
    accepted("extra stream_options", "extra max_completion_tokens", preset=BUILT_IN["mistral"], max_output=9)


def test_q17_roles_alternate_behind_one_system_message() -> None:
    history = [user("a"), user("b"), turn("c"), turn("d"), user("e"), turn(call("f")), result("f"), user("g")]
    body = accepted(
        messages=history,
        system="Be brief.",
        schema={"type": "object"},
        options={"structured_output": "prompt"},
    )
    assert [message["role"] for message in body["messages"]].count("system") == 1


def test_q18_arguments_are_always_a_text() -> None:
    accepted(messages=[user("a"), turn(call("c", {"x": {"y": [1, "é"]}})), result("c")])


def test_q19_thoughts_are_never_two_chunks_of_one_message() -> None:
    thoughts = [turn(Reasoning("1"), Reasoning("2"), "b"), turn(Reasoning("3"), call("c"))]
    accepted(
        "thinking chunks",
        "nine letters",
        *COMMON,
        preset=BUILT_IN["mistral"],
        messages=[user("a"), *thoughts, result("c")],
        thinking=True,
    )


def test_q20_half_a_surrogate_pair_stops_no_request() -> None:
    half = "a \ud83d"
    outputs = Message("tool", (ToolOutput("c", "get", half, True),))
    body = accepted(messages=[user(half), turn(half, call("c", {"x": half})), outputs], system=half)
    assert body["messages"][1]["content"] == "a \ufffd"


def test_q21_what_one_model_signed_is_not_shown_to_another() -> None:
    def signed(origin: str, signature: str) -> Message:
        replay = {
            "reasoning_details": [{"type": "reasoning.text", "signature": signature}],
            "call_extras": [{"signature": signature}],
        }
        return turn(Reasoning("hm"), call(signature), origin=origin, replay=replay)

    history = [user("a"), signed(ORIGIN, "ours"), result("ours"), signed("mine/other", "x"), result("x")]
    body = accepted("signatures", *COMMON, messages=[*history, signed("other/m", "y"), result("y")])
    assert "ours" in json.dumps(body["messages"][1])


def test_q22_calls_that_were_promised_and_never_came_end_the_turn() -> None:
    items, bodies = ask(Response(said("Let me look.", finish="tool_calls")), retries=True)
    assert (last(items).finish, last(items).calls, len(bodies)) == ("stop", (), 1)


def test_q23_a_call_that_was_cut_is_not_run_and_not_asked_for_again() -> None:
    cut = {"index": 0, "id": "c", "function": {"name": "get", "arguments": '{"x": "a'}}
    chunks = events({"choices": [{"delta": {"tool_calls": [cut]}, "finish_reason": "length"}]})
    items, bodies = ask(Response(chunks), retries=True)
    reply = last(items)
    assert (reply.finish, [each.run for each in reply.calls], len(bodies)) == ("length", [False], 1)


def test_q24_the_last_usage_is_the_usage() -> None:
    counts = [{"prompt_tokens": 10, "completion_tokens": n} for n in (1, 5, 9)]
    chunks = said("fine", finish=None) + events(
        *({"choices": [], "usage": count} for count in counts),
        {"choices": [{"delta": {}, "finish_reason": "stop"}]},
    )
    assert last(ask(Response(chunks))[0]).usage == Usage(input=10, output=9)
