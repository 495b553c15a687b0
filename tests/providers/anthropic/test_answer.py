from __future__ import annotations

import json
from typing import Any

import pytest

from agentctl.domain.message import Usage
from agentctl.providers.base import Delta, Reply, Runtime, WireCall
from tests.loopback import Response, json_body
from tests.providers.anthropic.streams import (
    TEXT,
    THINKING,
    ask_for,
    begin,
    block,
    call,
    delta,
    end,
    frame,
    play,
    said,
    start,
    stop,
)

SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
FOUND = {
    "type": "web_search_tool_result",
    "tool_use_id": "srvtoolu_1",
    "content": [{"encrypted_content": "E"}],
}


def last(items: list[Any]) -> Reply:
    assert isinstance(items[-1], Reply)
    return items[-1]


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("pause_turn", "pause_turn"),
        ("refusal", "refusal"),
        ("tool_use", "stop"),
        ("something_new", "stop"),
    ],
)
def test_every_stop_reason_has_a_word_of_ours(reason: str, finish: str, runtime: Runtime) -> None:
    reply = play(*said("你好 😀", reason), runtime=runtime)
    assert (reply.text, reply.finish, reply.fault) == ("你好 😀", finish, None)


def test_a_stream_cut_into_single_bytes_says_the_same(runtime: Runtime) -> None:
    events = [
        begin(),
        *block(0, THINKING, ("thinking", "想\u2028一想"), ("signature", "S")),
        *block(1, TEXT, ("text", "é\u2028\u0085世界")),
        *block(2, call(), ("partial_json", '{"x": "日'), ("partial_json", '本"}')),
        *end("tool_use"),
    ]
    whole = "".join(frame(*events))
    replies = []
    for text in (whole, whole.replace("\n", "\r\n"), whole.replace("\n", "\r")):
        raw = text.encode()
        replies.append(last(ask_for(Response([raw[i : i + 1] for i in range(len(raw))]), runtime)))
    first = replies[0]
    assert (first.reasoning, first.text) == ("想\u2028一想", "é\u2028\u0085世界")
    assert first.calls == (WireCall("toolu_1", "get", {"x": "日本"}, '{"x": "日本"}', True),)
    assert replies == [first] * 3


def test_halves_of_a_pair_in_two_deltas_are_one_character(runtime: Runtime) -> None:
    lines = [json.dumps(each) for each in said("?")]
    lines[2:3] = [lines[2].replace("?", "\\ud83d"), lines[2].replace("?", "\\ude00!\\ud83d")]
    reply = last(ask_for(Response([f"data: {line}\n\n" for line in lines]), runtime))
    assert reply.text == "\U0001f600!\ufffd"


def test_the_type_in_the_data_beats_the_line_before_it_and_stands_in_for_it(runtime: Runtime) -> None:
    lying = [text.replace("event: content_block_delta", "event: ping") for text in frame(*said("Hi"))]
    assert last(ask_for(Response(lying), runtime)).text == "Hi"
    bare = [text.replace('"type": "content_block_delta", ', "") for text in frame(*said("Hi"))]
    assert '"type": "content_block_delta"' not in "".join(bare)
    assert last(ask_for(Response(bare), runtime)).text == "Hi"


def test_pings_comments_and_what_nobody_knows_are_skipped(runtime: Runtime) -> None:
    events = said("Hi")
    strange: list[dict[str, Any]] = [
        {"type": "ping"},
        {"type": "status", "status": "busy", "message": "still here", "code": 7},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "novel_delta", "text": 1}},
        {"type": "content_block_delta", "index": 0, "delta": None},
        {"type": "content_block_start", "index": 3},
    ]
    reply = play(*events[:2], *strange, *events[2:], runtime=runtime)
    assert (reply.text, reply.finish, reply.fault, reply.replay) == ("Hi", "stop", None, {})


def test_events_that_are_missing_cost_nothing_that_came(runtime: Runtime) -> None:
    bare = [delta(0, "thinking", "hm"), delta(1, "text", "Hi"), *end()[:1]]
    reply = play(*bare, runtime=runtime)
    assert (reply.reasoning, reply.text, reply.finish, reply.fault) == ("hm", "Hi", "stop", None)
    assert play(begin(), delta(0, "partial_json", "{}"), *end(), runtime=runtime).calls[0].run is False


@pytest.mark.parametrize("events", [[], [begin()], [begin(), *block(0, TEXT)], [begin(), {"type": "ping"}]])
def test_a_stream_that_ends_before_it_said_anything_may_be_tried_again(
    events: list[Any], runtime: Runtime
) -> None:
    reply = play(*events, runtime=runtime)
    assert reply.fault is not None
    assert (reply.finish, reply.fault.type, reply.fault.retryable) == ("error", "truncated", True)


@pytest.mark.parametrize(
    "shown",
    [
        block(0, TEXT, ("text", "Hi")),
        block(0, THINKING, ("thinking", "hm")),
        [start(0, call())],
    ],
)
def test_a_stream_that_ends_in_the_middle_is_not_tried_again(shown: list[Any], runtime: Runtime) -> None:
    reply = play(begin(), *shown, runtime=runtime)
    assert reply.fault is not None
    assert (reply.fault.type, reply.fault.retryable) == ("truncated", False)
    assert all(not each.run for each in reply.calls)


def test_message_stop_without_a_reason_is_no_end(runtime: Runtime) -> None:
    reply = play(begin(), *block(0, TEXT, ("text", "Hi")), *end(None), runtime=runtime)
    assert (reply.text, reply.finish, reply.fault and reply.fault.type) == ("Hi", "error", "truncated")


def test_nothing_is_read_after_message_stop(runtime: Runtime) -> None:
    reply = play(*said("Hi"), *said(" again"), {"type": "error", "error": {"type": "x"}}, runtime=runtime)
    assert (reply.text, reply.fault) == ("Hi", None)


def test_a_connection_that_breaks_after_the_reason_lost_nothing(runtime: Runtime) -> None:
    whole = ask_for(Response(frame(*said("Hi"))[:-1], cut=True), runtime)
    assert (last(whole).text, last(whole).fault) == ("Hi", None)
    half = last(ask_for(Response(frame(*said("Hi"))[:-2], cut=True), runtime))
    assert (half.text, half.finish, half.fault and half.fault.retryable) == ("Hi", "error", True)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, ("temporary", True)),
        ({"type": "rate_limit_error", "message": "slow"}, ("temporary", True)),
        ({"type": "api_error", "message": "boom"}, ("temporary", True)),
        ({"type": "timeout_error", "message": "late"}, ("temporary", True)),
        ({"type": "invalid_request_error", "message": "no"}, ("provider", False)),
        ({"type": "authentication_error", "message": "no"}, ("credentials", False)),
        ({"type": "permission_error", "message": "no"}, ("credentials", False)),
        ({"type": "billing_error", "message": "no"}, ("credentials", False)),
    ],
)
def test_an_error_event_ends_the_answer_first_or_later(
    error: dict[str, str], expected: tuple[str, bool], runtime: Runtime
) -> None:
    event = {"type": "error", "error": error, "request_id": "req_1"}
    first = play(event, runtime=runtime)
    later = play(*said("Hi")[:3], start(1, call()), event, runtime=runtime)
    for reply, text in ((first, ""), (later, "Hi")):
        assert (reply.text, reply.finish) == (text, "error")
        assert reply.fault
        assert (reply.fault.kind, reply.fault.retryable) == expected
    assert [each.run for each in later.calls] == [False]


def test_a_whole_answer_in_one_piece_is_read_like_a_stream(runtime: Runtime) -> None:
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "plan", "signature": "S"},
            {"type": "text", "text": "Hi"},
            call(input={"x": 1}),
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }
    items = ask_for(json_body(message), runtime)
    assert items[:-1] == [Delta("reasoning", "plan"), Delta("text", "Hi")]
    reply = last(items)
    assert reply.calls == (WireCall("toolu_1", "get", {"x": 1}, '{"x": 1}', True),)
    assert (reply.finish, reply.usage) == ("tool_calls", Usage(3, 4))
    assert reply.replay == {"thinking": [message["content"][0]]}  # type: ignore[index]


@pytest.mark.parametrize(
    "body", ['{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}']
)
@pytest.mark.parametrize("status", [200, 400, 529])
def test_an_error_body_says_the_same_under_every_status(body: str, status: int, runtime: Runtime) -> None:
    reply = last(ask_for(Response([body], status, {"content-type": "application/json"}), runtime))
    assert reply.fault
    assert (reply.fault.type, reply.fault.retryable) == ("overloaded_error", True)


def test_a_page_of_some_other_server_is_named_with_its_url(runtime: Runtime) -> None:
    page = Response(["<!doctype html>\n<title>Sign in</title>"], headers={"content-type": "text/html"})
    fault = last(ask_for(page, runtime)).fault
    assert fault
    assert (fault.kind, fault.type, fault.retryable) == ("provider", "http", False)
    assert "/v1/messages does not speak Messages" in (fault.hint or "")


def test_json_of_another_protocol_is_no_broken_stream(runtime: Runtime) -> None:
    other = {"id": "c1", "choices": [{"message": {"content": "Hi"}}]}
    fault = last(ask_for(json_body(other), runtime)).fault
    assert fault
    assert (fault.kind, fault.retryable) == ("provider", False)
    assert "does not speak Messages" in (fault.hint or "")


def test_calls_are_run_whatever_the_reason_and_only_calls_make_it_tool_calls(runtime: Runtime) -> None:
    for reason in ("end_turn", "tool_use", "stop_sequence", "pause_turn"):
        reply = play(begin(), *block(0, call(), ("partial_json", "{}")), *end(reason), runtime=runtime)
        assert (reply.finish, reply.calls[0].run) == ("tool_calls", True)
    refused = play(begin(), *block(0, call(), ("partial_json", "{}")), *end("refusal"), runtime=runtime)
    assert (refused.finish, refused.calls[0].run) == ("refusal", False)


@pytest.mark.parametrize(
    ("opening", "pieces", "raw", "arguments"),
    [
        ({}, [], "", {}),
        ({}, ["", ""], "", {}),
        ({}, ["{", '"a"', ":", "[1", ",2]", "}"], '{"a":[1,2]}', {"a": [1, 2]}),
        ({"input": {"a": 1}}, [], '{"a": 1}', {"a": 1}),
        ({"input": {"a": 1}}, [""], '{"a": 1}', {"a": 1}),
        ({"input": {"a": 1}}, ['{"a":', " 2}"], '{"a": 2}', {"a": 2}),
        ({"input": '{"a": 1}'}, [], '{"a": 1}', {"a": 1}),
        ({"input": None}, [], "", {}),
        ({}, ['{"a": "x\ny"}'], '{"a": "x\ny"}', {"a": "x\ny"}),
        ({}, ["[1]"], "[1]", None),
        ({}, ['{"a": NaN}'], '{"a": NaN}', None),
        ({}, ['{"a": 1'], '{"a": 1', None),
        ({}, ["null"], "null", None),
    ],
)
def test_arguments_come_at_once_in_pieces_or_not_at_all(
    opening: dict[str, Any], pieces: list[str], raw: str, arguments: Any, runtime: Runtime
) -> None:
    events = block(0, call(**opening), *(("partial_json", piece) for piece in pieces))
    (got,) = play(begin(), *events, *end("tool_use"), runtime=runtime).calls
    assert got == WireCall("toolu_1", "get", arguments, raw, arguments is not None)


def test_calls_side_by_side_keep_their_pieces_apart(runtime: Runtime) -> None:
    events = [
        start(0, call("a")),
        start(1, call("b", "put")),
        delta(0, "partial_json", '{"n":'),
        delta(1, "partial_json", '{"n": 2}'),
        delta(0, "partial_json", " 1}"),
        stop(1),
        stop(0),
    ]
    calls = play(begin(), *events, *end("tool_use"), runtime=runtime).calls
    assert [(each.id, each.name, each.arguments) for each in calls] == [
        ("a", "get", {"n": 1}),
        ("b", "put", {"n": 2}),
    ]


def test_a_call_that_was_cut_before_its_arguments_is_not_run(runtime: Runtime) -> None:
    reply = play(begin(), *block(0, call("a")), start(1, call("b")), *end("max_tokens"), runtime=runtime)
    assert [(each.id, each.arguments, each.run) for each in reply.calls] == [
        ("a", {}, True),
        ("b", None, False),
    ]
    assert reply.finish == "length"


def test_signed_and_redacted_thoughts_are_kept_in_order_and_unsigned_ones_are_not(runtime: Runtime) -> None:
    sealed = {"type": "redacted_thinking", "data": "ENC"}
    events = [
        *block(
            0, THINKING, ("thinking", "a\n"), ("thinking", "b"), ("signature", "SI"), ("signature", "G==")
        ),
        *block(1, sealed),
        *block(2, THINKING, ("thinking", "c")),
        *block(3, THINKING, ("signature", "EMPTY")),
        *block(4, TEXT, ("text", "Hi")),
    ]
    reply = play(begin(), *events, *end(), runtime=runtime)
    assert (reply.reasoning, reply.text) == ("a\nbc", "Hi")
    assert reply.replay == {
        "thinking": [
            {"type": "thinking", "thinking": "a\nb", "signature": "SIG=="},
            sealed,
            {"type": "thinking", "thinking": "", "signature": "EMPTY"},
        ]
    }


def test_thoughts_between_words_and_calls_keep_their_place(runtime: Runtime) -> None:
    events = [
        *block(0, THINKING, ("thinking", "a"), ("signature", "1")),
        *block(1, TEXT, ("text", "Let me see.")),
        *block(2, THINKING, ("thinking", "b"), ("signature", "2")),
        *block(3, call(), ("partial_json", "{}")),
    ]
    replay = play(begin(), *events, *end("tool_use"), runtime=runtime).replay
    first = {"type": "thinking", "thinking": "a", "signature": "1"}
    second = {"type": "thinking", "thinking": "b", "signature": "2"}
    assert replay["thinking"] == [first, second]
    assert replay["content"] == [
        first,
        {"type": "text", "text": "Let me see."},
        second,
        {"type": "tool_use"},
    ]


def test_what_tools_of_the_provider_did_is_kept_whole_and_is_no_call_of_ours(runtime: Runtime) -> None:
    cited = {"type": "web_search_result_location", "url": "https://example.org", "encrypted_index": "I"}
    events = [
        *block(0, TEXT, ("text", "Searching. ")),
        *block(1, SEARCH, ("partial_json", '{"query": '), ("partial_json", '"天气"}')),
        *block(2, FOUND),
        *block(3, TEXT, ("citation", cited)),
    ]
    events[-2] = {
        "type": "content_block_delta",
        "index": 3,
        "delta": {"type": "citations_delta", "citation": cited},
    }
    events.insert(-1, delta(3, "text", "Sunny."))
    reply = play(begin(), *events, *end("pause_turn"), runtime=runtime)
    assert (reply.text, reply.calls, reply.finish) == ("Searching. Sunny.", (), "pause_turn")
    assert reply.replay == {
        "content": [
            {"type": "text", "text": "Searching. "},
            {**SEARCH, "input": {"query": "天气"}},
            FOUND,
            {"type": "text", "text": "Sunny.", "citations": [cited]},
        ]
    }


def test_a_block_that_nobody_knows_goes_back_only_whole(runtime: Runtime) -> None:
    whole = {"type": "compaction", "content": "short"}
    reply = play(begin(), *block(0, whole), *block(1, TEXT, ("text", "Hi")), *end(), runtime=runtime)
    assert reply.replay["content"] == [whole, {"type": "text", "text": "Hi"}]
    partial = [start(0, whole), delta(0, "compaction", "more"), stop(0)]
    reply = play(begin(), *partial, *block(1, TEXT, ("text", "Hi")), *end(), runtime=runtime)
    assert (reply.text, reply.replay) == ("Hi", {})


@pytest.mark.parametrize(
    ("first", "final", "usage"),
    [
        ({"output_tokens": 1}, {"output_tokens": 15}, Usage(5, 15)),
        ({"cache_read_input_tokens": 100, "cache_creation_input_tokens": 10}, {}, Usage(115, 7, 100, 0, 10)),
        (
            {"cache_read_input_tokens": 100},
            {"input_tokens": 9, "cache_read_input_tokens": None, "output_tokens": 3},
            Usage(109, 3, 100),
        ),
        ({}, {"input_tokens": 0, "cache_read_input_tokens": 8}, Usage(8, 7, 8)),
        ({}, {"output_tokens_details": {"thinking_tokens": 4}}, Usage(5, 7, 0, 4)),
        ({"output_tokens": "many"}, {"output_tokens": -1}, Usage(5, 0)),
    ],
)
def test_the_last_count_wins_and_nothing_is_added_up(
    first: dict[str, Any], final: dict[str, Any], usage: Usage, runtime: Runtime
) -> None:
    events = [begin(**first), *block(0, TEXT, ("text", "Hi")), *end(**final)]
    assert play(*events, runtime=runtime).usage == usage
    assert play(*events[:-1], events[-2], events[-1], runtime=runtime).usage == usage


def test_a_server_without_counts_has_no_usage(runtime: Runtime) -> None:
    events = [delta(0, "text", "Hi"), {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}]
    assert play(*events, runtime=runtime).usage is None


def test_the_answer_streams_as_it_comes(runtime: Runtime) -> None:
    events = [*said("a")[:3], delta(0, "text", "b"), *end()]
    pieces: list[Any] = []
    for text in frame(*events):
        pieces += [text, 0.01]
    items = ask_for(Response(pieces), runtime)
    assert items[:-1] == [Delta("text", "a"), Delta("text", "b")]


def test_a_reason_that_says_more_is_not_taken_back(runtime: Runtime) -> None:
    events = said("Hi", "refusal")
    assert play(*events[:-1], end("end_turn")[0], runtime=runtime).finish == "refusal"
    events = said("Hi", "end_turn")
    assert play(*events[:-1], end("max_tokens")[0], runtime=runtime).finish == "length"


def test_pieces_of_another_kind_are_never_mixed_into_a_block(runtime: Runtime) -> None:
    mixed = [start(0, call()), delta(0, "text", "Hi"), delta(0, "thinking", "hm")]
    reply = play(begin(), *mixed, *end(), runtime=runtime)
    assert (reply.text, reply.reasoning) == ("Hi", "hm")
    assert reply.calls == (WireCall("toolu_1", "get", {}, "", True),)
    assert reply.replay["content"] == [{"type": "tool_use"}, {"type": "text", "text": "Hi"}]


def test_a_signature_that_is_said_twice_is_one(runtime: Runtime) -> None:
    signed = {"type": "thinking", "thinking": "a", "signature": "S"}
    events = [*block(0, signed, ("thinking", "b"), ("signature", "S")), *block(1, TEXT, ("text", "Hi"))]
    replay = play(begin(), *events, *end(), runtime=runtime).replay
    assert replay == {"thinking": [{**signed, "thinking": "ab"}]}


def test_empty_texts_do_not_make_an_order_unusual(runtime: Runtime) -> None:
    events = [*block(0, TEXT), *block(1, THINKING, ("signature", "S")), *block(2, TEXT, ("text", "Hi"))]
    reply = play(begin(), *events, *block(3, TEXT), *end(), runtime=runtime)
    assert reply.replay.keys() == {"thinking"}
