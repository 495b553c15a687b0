from __future__ import annotations

import json
from typing import Any

import pytest

from tests.providers.openai_responses.streams import (
    added,
    call,
    calls,
    completed,
    done,
    event,
    message,
    play,
    said,
)

ONE = [("call_1", "get", {"x": 1}, True)]
RAW = '{"x":1}'


def piece(text: Any, **keys: Any) -> str:
    return event("function_call_arguments.delta", delta=text, **keys)


@pytest.mark.parametrize(
    "keys",
    [
        {"item_id": "fc_1", "output_index": 0},
        {"item_id": "fc_1"},
        {"output_index": 0},
        {"call_id": "call_1"},
        {"item_id": "", "call_id": "call_1"},
        {"item_id": "changed", "output_index": 0},
        {},
    ],
)
def test_pieces_find_their_call_by_whatever_they_carry(keys: dict[str, Any]) -> None:
    whole = call(RAW)
    for end in (completed(), completed(whole), done(whole) + completed(), done(whole) + completed(whole)):
        for stop in ("", event("function_call_arguments.done", arguments=RAW, **keys)):
            reply = play(added(whole), piece('{"x":', **keys), piece("1}", **keys), stop, end)
            assert calls(reply) == ONE
            assert reply.finish == "tool_calls"


@pytest.mark.parametrize(
    "keys", [{"item_id": "fc_1", "output_index": 0}, {"item_id": "fc_1"}, {"output_index": 0}]
)
def test_a_call_that_was_never_announced_gets_its_name_at_the_end(keys: dict[str, Any]) -> None:
    whole = call(RAW)
    last = {"type": "response.function_call_arguments.done", "arguments": RAW, "name": "get"}
    named = f"data: {json.dumps({**last, 'call_id': 'call_1', **keys})}\n\n"
    for end in (done(whole) + completed(), completed(whole), named + completed()):
        assert calls(play(piece(RAW, **keys), end)) == ONE


def test_a_call_that_only_the_end_carries_is_there() -> None:
    assert calls(play(completed(call(RAW)))) == ONE
    assert calls(play(done(call(RAW)), completed())) == ONE
    assert calls(play(added(call(RAW)), done(call(RAW)), done(call(RAW)), completed(call(RAW)))) == ONE
    assert calls(play(json.dumps({"object": "response", "output": [call(RAW)]}))) == ONE


def test_arguments_that_come_with_the_announcement_count_where_nothing_follows() -> None:
    early = event("output_item.added", output_index=0, item=call(RAW))
    assert calls(play(early, completed())) == ONE
    empty = event("output_item.added", output_index=0, item=call("{}"))
    assert calls(play(empty, piece(RAW, item_id="fc_1"), completed())) == ONE


def test_arguments_that_are_an_object_are_taken() -> None:
    whole = {**call(), "arguments": {"x": 1}}
    assert calls(play(completed(whole))) == ONE
    assert calls(play(added(call()), piece({"x": 1}, item_id="fc_1"), completed())) == ONE


def test_the_whole_arguments_beat_their_pieces_unless_they_are_broken() -> None:
    pieces = added(call()) + piece('{"x":', item_id="fc_1") + piece("1", item_id="fc_1")
    assert calls(play(pieces, completed(call(RAW)))) == ONE
    whole = added(call()) + piece(RAW, item_id="fc_1")
    assert calls(play(whole, done(call('{"x":')), completed(call('{"x":')))) == ONE
    assert calls(play(whole, done(call("")), completed(call("")))) == ONE


@pytest.mark.parametrize("empty", ["", "{}", " "])
def test_no_arguments_are_an_empty_object(empty: str) -> None:
    for chunks in ((completed(call(empty)),), (added(call()), done(call(empty)), completed())):
        assert calls(play(*chunks)) == [("call_1", "get", {}, True)]
    assert calls(play(added(call()), completed())) == [("call_1", "get", {}, True)]


@pytest.mark.parametrize("broken", ['{"x":', "[1]", "null", '"x"', "{x}", '{"x":NaN}'])
def test_arguments_that_are_no_object_are_kept_and_never_run(broken: str) -> None:
    reply = play(completed(call(broken)))
    assert calls(reply) == [("call_1", "get", broken, False)]
    assert reply.finish == "tool_calls"


def test_parallel_calls_are_told_apart_and_come_in_order() -> None:
    one, two = call('{"n":1}', 1), call('{"n":2}', 2)
    expected = [("call_1", "get", {"n": 1}, True), ("call_2", "get", {"n": 2}, True)]

    def pieces(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
        return [
            piece('{"n":', **first),
            piece('{"n":', **second),
            piece("1}", **first),
            piece("2}", **second),
        ]

    ids = pieces({"item_id": "fc_1"}, {"item_id": "fc_2"})
    places = pieces({"output_index": 0}, {"output_index": 1})
    names = pieces({"call_id": "call_1"}, {"call_id": "call_2"})
    same_place = pieces({"item_id": "fc_1", "output_index": 0}, {"item_id": "fc_2", "output_index": 0})
    for end in (completed(), completed(one, two)):
        for deltas in (ids, places, names):
            assert calls(play(added(one, 0), added(two, 1), *deltas, end)) == expected
            assert calls(play(added(two, 1), added(one, 0), *deltas, end)) == expected
        assert calls(play(added(one, 0), added(two, 0), *same_place, end)) == expected
        assert calls(play(added(one, None), added(two, None), *ids, end)) == expected


def test_pieces_without_any_key_belong_to_the_call_that_is_open() -> None:
    one, two = call('{"n":1}', 1), call('{"n":2}', 2)
    chunks = [added(one, None), piece('{"n":1}'), done(one, None), added(two, None), piece('{"n":2}')]
    assert [each[2] for each in calls(play(*chunks, completed()))] == [{"n": 1}, {"n": 2}]
    unended = [added(one, None), piece('{"n":1}'), added(two, None), piece('{"n":2}')]
    assert [each[2] for each in calls(play(*unended, completed()))] == [{"n": 1}, {"n": 2}]


def test_two_calls_with_the_same_name_and_arguments_are_two() -> None:
    one, two = call(RAW, 1), call(RAW, 2)
    for chunks in (
        (),
        (done(one, 0), done(two, 1)),
        (added(one, 0), added(two, 1), done(one, 0), done(two, 1)),
    ):
        assert [each[0] for each in calls(play(*chunks, completed(one, two)))] == ["call_1", "call_2"]


def test_a_call_without_a_call_id_goes_by_its_own_id_or_none() -> None:
    assert calls(play(completed(call(RAW, call_id=None))))[0][0] == "fc_1"
    assert calls(play(completed(call(RAW, call_id="", id=""))))[0][0] is None


def test_words_and_calls_come_together() -> None:
    reply = play(
        said("Let me see."),
        added(call(), 1),
        done(call(RAW), 1),
        completed(message("Let me see."), call(RAW)),
    )
    assert (reply.text, calls(reply), reply.finish) == ("Let me see.", ONE, "tool_calls")


def test_calls_of_other_kinds_are_not_ours() -> None:
    custom = {"id": "ct_1", "type": "custom_tool_call", "call_id": "c", "name": "shell", "input": "ls"}
    search = {"id": "ws_1", "type": "web_search_call", "status": "completed"}
    reply = play(
        added(custom),
        event("custom_tool_call_input.delta", item_id="ct_1", output_index=0, delta="ls"),
        event("custom_tool_call_input.done", item_id="ct_1", output_index=0, input="ls"),
        done(custom),
        event("mcp_call_arguments.delta", item_id="m_1", output_index=1, delta="{}"),
        completed(custom, search),
    )
    assert (reply.calls, reply.finish) == ((), "stop")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"x":', ("call_1", "get", '{"x":', False)),
        ("", ("call_1", "get", {}, False)),
        (RAW, ("call_1", "get", {"x": 1}, True)),
    ],
)
def test_a_call_that_was_cut_is_not_run(arguments: str, expected: tuple[Any, ...]) -> None:
    cut = call(arguments, status="incomplete")
    details = {"reason": "max_output_tokens"}
    for chunks in ((added(cut), piece(arguments, item_id="fc_1")), (added(cut), done(cut)), ()):
        reply = play(*chunks, completed(cut, name="incomplete", incomplete_details=details))
        assert (calls(reply), reply.finish) == ([expected], "length")


def test_a_call_that_was_whole_before_the_limit_is_run() -> None:
    cut = call('{"y":', 2, status="incomplete")
    reply = play(added(call("")), done(call("")), added(cut, 1), completed(call(""), cut, name="incomplete"))
    assert [each[3] for each in calls(reply)] == [True, False]


def test_no_call_of_a_turn_that_failed_was_filtered_or_refused_is_run() -> None:
    whole = done(call(RAW))
    filtered = completed(name="incomplete", incomplete_details={"reason": "content_filter"})
    refusal = event("refusal.delta", delta="No.")
    failed = completed(name="failed", error={"code": "server_error", "message": "m"})
    for end in (filtered, refusal + completed(), failed, ""):
        assert [each[3] for each in calls(play(whole, end))] == [False]


def test_names_are_cleaned_of_what_templates_leak() -> None:
    assert calls(play(completed(call(RAW, name="functions.get<|channel|>commentary")))) == ONE
