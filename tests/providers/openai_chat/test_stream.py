from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agentctl.domain.message import Usage
from agentctl.net.failure import NetworkFailure
from agentctl.providers.base import Delta, Reply
from agentctl.providers.openai_chat.answer import ChatAnswer
from agentctl.providers.wire.stream import read_events
from tests.loopback import events, said


def play(
    *chunks: str | bytes,
    failure: NetworkFailure | None = None,
    content_type: str = "text/event-stream",
    **options: Any,
) -> Reply:
    """The reply to chunks that arrive one by one; the deltas must add up to it."""

    async def source() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk if isinstance(chunk, bytes) else chunk.encode("utf-8", "surrogatepass")
        if failure:
            raise failure

    async def run() -> list[Any]:
        return [item async for item in read_events(source(), ChatAnswer(**options), content_type)]

    *deltas, reply = asyncio.run(run())
    assert isinstance(reply, Reply)
    for kind, whole in (("text", reply.text), ("reasoning", reply.reasoning)):
        assert "".join(d.text for d in deltas if isinstance(d, Delta) and d.kind == kind) == whole
    assert all(delta.text for delta in deltas)
    return reply


def chunk(delta: Any = None, finish: str | None = None, **rest: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta or {}, "finish_reason": finish}], **rest}


def error(reply: Reply) -> tuple[str, str, str, bool]:
    assert reply.fault is not None
    assert reply.finish == "error"
    return reply.fault.kind, reply.fault.type, reply.fault.message, reply.fault.retryable


def test_done_without_a_reason_is_a_complete_answer() -> None:
    assert play(*events(chunk({"content": "Hello"}))) == Reply("Hello", finish="stop")


def test_nothing_at_all_may_be_tried_again() -> None:
    assert error(play()) == ("temporary", "truncated", "stream ended before the model finished", True)
    assert error(play(": ping\n\n", *events(chunk({"role": "assistant"}), done=False)))[3]


@pytest.mark.parametrize("delta", [{"content": "H"}, {"reasoning": "H"}, {"tool_calls": [{"id": "a"}]}])
def test_half_an_answer_may_not_be_tried_again(delta: Any) -> None:
    assert error(play(*events(chunk(delta), done=False))) == (
        "temporary",
        "truncated",
        "stream ended before the model finished",
        False,
    )


def test_an_event_that_the_end_cuts_is_truncation_and_not_nonsense() -> None:
    reply = play(*events(chunk({"content": "Hello"}), done=False), 'data: {"choices":[{"del')
    assert error(reply)[1] == "truncated"
    assert reply.text == "Hello"


def test_a_last_event_without_its_empty_line_counts() -> None:
    assert play("data: " + json.dumps(chunk({"content": "Hi"}, "stop"))) == Reply("Hi", finish="stop")


def test_a_connection_that_breaks_keeps_what_was_said() -> None:
    broken = NetworkFailure("it broke", where="network")
    reply = play(*events(chunk({"content": "Hello"}), done=False), failure=broken)
    assert reply.text == "Hello"
    assert error(reply) == ("temporary", "network", "it broke", True)


def test_a_connection_that_breaks_after_the_reason_does_no_harm() -> None:
    broken = NetworkFailure("it broke", where="network")
    reply = play(*events(chunk({"content": "Hello"}, "stop"), done=False), failure=broken)
    assert reply == Reply("Hello", finish="stop")


def test_silence_is_a_time_limit() -> None:
    assert error(play(failure=NetworkFailure("was silent", where="idle")))[:2] == ("timeout", "idle")


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("eos", "stop"),
        ("length", "length"),
        ("MAX_TOKENS", "length"),
        ("model_length", "length"),
        ("content_filter", "content_filter"),
        ("content_filter: RECITATION", "content_filter"),
        ("sensitive", "content_filter"),
        ("refusal", "refusal"),
        ("tool_calls", "stop"),
    ],
)
def test_every_server_has_its_own_words_for_the_end(reason: str, finish: str) -> None:
    reply = play(*events(chunk({"content": "Hello"}), chunk({}, reason)))
    assert (reply.text, reply.finish, reply.fault) == ("Hello", finish, None)


@pytest.mark.parametrize("reason", ["error", "abort", "insufficient_system_resource", "network_error"])
def test_a_reason_that_means_failure_is_a_temporary_fault(reason: str) -> None:
    assert error(play(*events(chunk({}, reason))))[0] == "temporary"


def test_an_empty_reason_is_none_and_the_telling_one_wins() -> None:
    assert error(play(*events(chunk({"content": "H"}, ""), done=False)))[1] == "truncated"
    assert play(*events(chunk({"content": "H"}, "length"), chunk({}, "stop"))).finish == "length"
    assert play(*events(chunk({"content": "H"}, "stop"), chunk({}, "length"))).finish == "length"


@pytest.mark.parametrize("finish", ["content_filter", "refusal"])
def test_calls_of_a_filtered_answer_are_never_run(finish: str) -> None:
    call = {"index": 0, "id": "a", "function": {"name": "get", "arguments": "{}"}}
    reply = play(*events(chunk({"tool_calls": [call]}), chunk({}, finish)))
    assert (reply.finish, [call.run for call in reply.calls]) == (finish, [False])


def test_calls_beside_a_refusal_are_never_run() -> None:
    call = {"index": 0, "id": "a", "function": {"name": "get", "arguments": "{}"}}
    reply = play(*events(chunk({"refusal": "No.", "tool_calls": [call]}), chunk({}, "stop")))
    assert (reply.text, reply.refusal, reply.calls[0].run) == ("No.", True, False)


def test_a_call_that_the_length_cut_is_not_run_and_a_whole_one_is() -> None:
    cut = {"index": 0, "id": "a", "function": {"name": "get", "arguments": '{"x": '}}
    whole = {"index": 0, "id": "a", "function": {"name": "get", "arguments": '{"x": 1}'}}
    for call, run in ((cut, False), (whole, True)):
        reply = play(*events(chunk({"tool_calls": [call]}), chunk({}, "length")))
        assert (reply.finish, reply.calls[0].run) == ("length", run)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (
            {"error": {"message": "m", "type": "rate_limit_error"}},
            ("temporary", "rate_limit_error", "m", True),
        ),
        ({"error": {"message": "m", "code": "429"}}, ("temporary", "429", "m", True)),
        ({"error": {"message": "m", "code": 400, "type": None}}, ("provider", "400", "m", False)),
        (
            {"error": {"message": "m", "code": "invalid_api_key"}},
            ("credentials", "invalid_api_key", "m", False),
        ),
        ({"error": {"message": "m", "code": 402}}, ("credentials", "quota", "m", False)),
        ({"error": "overloaded"}, ("provider", "error", "overloaded", False)),
        ({"error": {"code": 503}}, ("temporary", "503", "503", True)),
        (
            [{"error": {"message": "m", "code": 503, "status": "UNAVAILABLE"}}],
            ("temporary", "503", "m", True),
        ),
        ({"object": "error", "message": "m", "code": 500}, ("temporary", "500", "m", True)),
        ({"type": "error", "message": "m"}, ("provider", "error", "m", False)),
        ({"detail": "Not Found"}, ("provider", "error", "Not Found", False)),
        ({"code": 1211, "msg": "unknown model"}, ("provider", "1211", "unknown model", False)),
        (
            {"choices": [{"index": 0, "delta": {}, "error": {"code": 502, "message": "m"}}]},
            ("temporary", "502", "m", True),
        ),
    ],
)
def test_an_error_is_found_in_every_shape_and_framing(document: Any, expected: Any) -> None:
    body = json.dumps(document)
    assert error(play(f"data: {body}\n\n")) == expected
    assert error(play(f"data: {body}\n\n", "data: [DONE]\n\n")) == expected
    assert error(play(body)) == expected
    assert error(play(json.dumps(document, indent=2), content_type="application/json")) == expected


@pytest.mark.parametrize("nothing", [None, {}, "", {"message": None, "code": None}, False])
def test_an_error_without_content_is_none(nothing: Any) -> None:
    assert play(*events(chunk({"content": "Hi"}, "stop", error=nothing))).text == "Hi"


def test_an_error_event_may_hold_plain_words() -> None:
    assert error(play("event: error\ndata: upstream died\n\n"))[2] == "upstream died"


def test_text_in_the_same_chunk_as_an_error_is_kept() -> None:
    failed = chunk({"content": " world"}, "error", error={"code": 502, "message": "m"})
    reply = play(*events(chunk({"content": "Hello"}), failed, chunk({"content": "NOT THIS"})))
    assert (reply.text, error(reply)[2]) == ("Hello world", "m")


def test_an_error_on_its_own_line_after_a_cut_event_is_found() -> None:
    cut = 'data: {"choices":[{"delta":{"content":"wor\ndata: {"error":{"message":"m","type":"upstream"}}\n\n'
    assert error(play(cut)) == ("provider", "upstream", "m", False)


def test_an_unframed_error_after_events_is_found() -> None:
    stream = [*events(chunk({"content": "Hello"}), done=False), '{"error":{"message":"m","code":500}}\n\n']
    for tail in ([], ["data: [DONE]\n\n"]):
        reply = play(*stream, *tail)
        assert (reply.text, error(reply)[2]) == ("Hello", "m")


def test_several_documents_in_one_event_all_count() -> None:
    first, second = (json.dumps(chunk({"content": text})) for text in ("Hello", " world"))
    for between in ("\ndata: ", "", " "):
        assert play(f"data: {first}{between}{second}\ndata: [DONE]\n\n").text == "Hello world"


def test_json_lines_without_any_framing_are_read() -> None:
    lines = "\n".join(json.dumps(chunk({"content": text}, "stop")) for text in ("Hello", " world"))
    assert play(lines, content_type="application/x-ndjson").text == "Hello world"


def test_one_whole_completion_is_an_answer_in_either_framing() -> None:
    calls = [{"function": {"name": name, "arguments": ""}, "type": "function"} for name in ("now", "uuid")]
    message = {"role": "assistant", "content": "Hi", "reasoning_content": "hm", "tool_calls": calls}
    body = json.dumps({"choices": [{"message": message}], "usage": {"prompt_tokens": 3}}, indent=1)
    for reply in (play(body), play("data: " + body.replace("\n", "\ndata: ") + "\n\n"), play("\n " + body)):
        assert (reply.text, reply.reasoning, reply.finish) == ("Hi", "hm", "tool_calls")
        assert [(call.name, call.run) for call in reply.calls] == [("now", True), ("uuid", True)]
        assert reply.usage == Usage(input=3)


def test_a_summary_at_the_end_of_a_stream_is_not_said_twice() -> None:
    summary = {"choices": [{"index": 0, "message": {"content": "Hello"}, "finish_reason": "stop"}]}
    assert play(*events(chunk({"content": "Hello"}), summary)).text == "Hello"


@pytest.mark.parametrize(
    "body", ["<html><title>Sign in</title></html>", "Bad Gateway", "\n\n<!doctype html>"]
)
def test_a_page_instead_of_an_answer_is_quoted(body: str) -> None:
    kind, name, message, retryable = error(play(body, content_type="text/html"))
    assert (kind, name, retryable) == ("provider", "http", False)
    assert message == f"not JSON: {body.strip()}"


def test_nonsense_is_an_error_and_never_skipped() -> None:
    stream = [*events(chunk({"content": "Hello"}), done=False), "data: oops\n\n", *said(" world")]
    reply = play(*stream)
    assert (reply.text, error(reply)[:2]) == ("Hello", ("provider", "http"))


def test_an_event_of_any_depth_or_type_never_crashes() -> None:
    deep = "data: " + "[" * 100_000 + "\n\n"
    assert error(play(deep))[0] == "provider"
    odd: list[Any] = [
        1,
        None,
        "text",
        {"choices": None},
        {"choices": "x"},
        {"choices": [None, 1, {"index": 0}]},
        chunk({"content": 1, "reasoning": {}, "tool_calls": "x", "refusal": 0}),
        chunk({"content": [None, 1, {"type": "text"}, {"type": "image_url"}]}),
        chunk({"tool_calls": [None, 1, {"function": "x", "index": "y"}]}),
        chunk({"reasoning_details": "x"}, usage="x"),
        chunk({"function_call": []}, usage={"prompt_tokens": "x", "completion_tokens": True}),
        {"choices": [{"index": None, "delta": {"content": "Hi"}, "finish_reason": 3}]},
        chunk({}, "stop"),
    ]
    reply = play(*events(*odd))
    assert (reply.text, reply.fault, reply.usage) == ("Hi", None, None)


def test_usage_is_the_last_value_and_fields_are_kept_apart() -> None:
    first = {"prompt_tokens": 9, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 4}}
    last = {"completion_tokens": 7, "completion_tokens_details": {"reasoning_tokens": 5}}
    reply = play(
        *events(chunk({"content": "H"}, usage=first), chunk({}, "stop", usage=last), {"usage": None})
    )
    assert reply.usage == Usage(input=9, output=7, cached=4, reasoning=5)


def test_usage_is_found_under_other_names_and_places() -> None:
    deepseek = {"prompt_tokens": 5, "prompt_cache_hit_tokens": 3}
    assert play(*events(chunk({}, "stop", usage=deepseek))).usage == Usage(input=5, cached=3)
    inside = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop", "usage": {"prompt_tokens": 8}}]}
    assert play(*events(inside)).usage == Usage(input=8)


def test_the_raw_reasoning_is_kept_for_the_provider_that_sent_it() -> None:
    reply = play(
        *events(chunk({"reasoning_content": "hm"}), chunk({"reasoning_content": "m"}), chunk({}, "stop"))
    )
    assert reply.replay == {"reasoning_content": "hmm"}


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_reasoning_has_several_names(field: str) -> None:
    reply = play(*events(chunk({field: "hm", "content": ""}), chunk({field: None, "content": "Hi"}, "stop")))
    assert (reply.reasoning, reply.text) == ("hm", "Hi")


def test_details_are_put_together_by_type_and_index() -> None:
    parts = [
        {"type": "reasoning.text", "index": 0, "text": "a"},
        {"type": "reasoning.text", "index": 0, "text": "b"},
        {"type": "reasoning.text", "index": 0, "signature": "SIG"},
        {"type": "reasoning.encrypted", "index": 0, "id": "x", "data": "1"},
        {"type": "reasoning.encrypted", "index": 0, "id": "y", "data": "2"},
        {"type": "reasoning.summary", "summary": "s"},
        {"type": "reasoning.summary", "summary": "t"},
    ]
    reply = play(*events(*[chunk({"reasoning_details": [part]}) for part in parts], chunk({}, "stop")))
    assert reply.replay == {
        "reasoning_details": [
            {"type": "reasoning.text", "index": 0, "text": "ab", "signature": "SIG"},
            {"type": "reasoning.encrypted", "index": 0, "id": "x", "data": "1"},
            {"type": "reasoning.encrypted", "index": 0, "id": "y", "data": "2"},
            {"type": "reasoning.summary", "summary": "s"},
            {"type": "reasoning.summary", "summary": "t"},
        ]
    }
    assert reply.reasoning == "abst"


def test_what_is_attached_to_a_call_is_kept_for_replay() -> None:
    extra = {"google": {"thought_signature": "SIG"}}
    calls = [
        {"index": 0, "id": "a", "function": {"name": "get", "arguments": "{}"}, "extra_content": extra},
        {"index": 1, "id": "b", "function": {"name": "get", "arguments": "{}"}},
    ]
    reply = play(*events(chunk({"tool_calls": calls}), chunk({}, "stop")))
    assert reply.replay == {"call_extras": [extra, None]}


def test_the_old_form_of_a_call_still_counts() -> None:
    parts = [{"function_call": {"name": "get", "arguments": '{"x"'}}, {"function_call": {"arguments": ":1}"}}]
    reply = play(*events(*map(chunk, parts), chunk({}, "function_call")))
    assert [(call.id, call.name, call.arguments) for call in reply.calls] == [(None, "get", {"x": 1})]
    assert reply.finish == "tool_calls"


def test_a_pair_split_over_two_kinds_of_delta_is_not_joined() -> None:
    stream = ['data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n', *said("b")]
    assert play(*stream).text == "a\ufffdb"
    stream = ['data: {"choices":[{"delta":{"reasoning":"a\\ud83d"}}]}\n\n', *said("b")]
    assert (play(*stream).reasoning, play(*stream).text) == ("a\ufffd", "b")


def test_deltas_of_one_read_come_as_one() -> None:
    async def source() -> AsyncIterator[bytes]:
        yield "".join(said("a", "b", "c")).encode()

    async def run() -> list[Any]:
        return [item async for item in read_events(source(), ChatAnswer())]

    assert asyncio.run(run())[0] == Delta("text", "abc")


def test_a_huge_answer_in_one_read_takes_linear_time() -> None:
    assert len(play("".join(said(*["x" * 50] * 50_000))).text) == 2_500_000


def test_a_thinking_model_is_understood_with_the_option() -> None:
    for stream in (said("<think>", "plan", "</think>", "Hello"), said("plan</th", "ink>Hello")):
        reply = play(*stream, think_tags=True)
        assert (reply.reasoning, reply.text) == ("plan", "Hello")


def test_a_call_in_the_text_is_read_with_the_option() -> None:
    stream = said('{"name": "calculator", ', '"arguments": {"expression": "37*91"}}')
    reply = play(*stream, lenient_names={"calculator"})
    assert (reply.text, reply.finish) == ("", "tool_calls")
    assert [(call.name, call.arguments, call.run) for call in reply.calls] == [
        ("calculator", {"expression": "37*91"}, True)
    ]
    assert play(*stream).calls == ()
