from __future__ import annotations

from typing import Any

import pytest

from agentctl.providers.base import WireCall
from agentctl.providers.openai_chat.calls import CallBuffer
from agentctl.providers.wire.calls import clean_name


def fragment(arguments: Any = None, name: str | None = None, **keys: Any) -> dict[str, Any]:
    return {**keys, "function": {"name": name, "arguments": arguments}}


def gather(*fragments: Any, run: bool = True, whole: bool = False) -> tuple[WireCall, ...]:
    buffer = CallBuffer()
    for one in fragments:
        buffer.take(one, whole=whole)
    return buffer.close(run=run)


def seen(*fragments: Any) -> list[tuple[str | None, str, Any]]:
    return [(call.id, call.name, call.arguments) for call in gather(*fragments)]


def test_an_id_that_comes_with_every_fragment_is_one_call() -> None:
    assert seen(
        fragment('{"x"', "get", index=0, id="a"),
        fragment(":", id="a", index=0),
        fragment("1}", id="a", index=0),
    ) == [("a", "get", {"x": 1})]


def test_an_id_alone_tells_calls_apart() -> None:
    assert seen(
        fragment('{"x":', "get", id="a"),
        fragment('{"y":', "put", id="b"),
        fragment("1}", id="a"),
        fragment("2}", id="b"),
    ) == [("a", "get", {"x": 1}), ("b", "put", {"y": 2})]


def test_two_ids_on_one_index_may_take_turns() -> None:
    assert seen(
        fragment('{"x":', "get", index=0, id="a"),
        fragment('{"y":', "put", index=0, id="b"),
        fragment("1}", index=0, id="a"),
        fragment("2}", index=0, id="b"),
    ) == [("a", "get", {"x": 1}), ("b", "put", {"y": 2})]


def test_a_fragment_with_the_index_only_follows_the_newest_call_there() -> None:
    assert seen(
        fragment("{}", "get", index=0, id="a"),
        fragment('{"y":', "put", index=0, id="b"),
        fragment("2}", index=0),
    ) == [("a", "get", {}), ("b", "put", {"y": 2})]


@pytest.mark.parametrize("keys", [{"index": 0}, {}, {"index": None, "id": ""}, {"index": "0", "id": None}])
def test_whole_calls_without_ids_are_calls_of_their_own(keys: dict[str, Any]) -> None:
    assert seen(fragment('{"p":"a"}', "read", **keys), fragment('{"p":"b"}', "read", **keys)) == [
        (None, "read", {"p": "a"}),
        (None, "read", {"p": "b"}),
    ]


def test_the_id_may_come_late() -> None:
    assert seen(fragment("", "get", index=0), fragment("{}", index=0, id="a")) == [("a", "get", {})]


@pytest.mark.parametrize("keys", [{"index": 0}, {}])
def test_an_id_that_changes_with_every_fragment_is_one_call(keys: dict[str, Any]) -> None:
    assert seen(fragment('{"x"', "get", id="a", **keys), fragment(":1}", id="b", **keys)) == [
        ("a", "get", {"x": 1})
    ]


def test_an_index_that_counts_fragments_is_one_call() -> None:
    assert seen(fragment('{"x"', "get", index=0, id="a"), fragment(":1}", index=1, id="a")) == [
        ("a", "get", {"x": 1})
    ]


def test_a_call_that_is_sent_again_at_the_end_is_one_call() -> None:
    whole = fragment('{"x": 1}', "get", index=0, id="a")
    assert seen(fragment('{"x"', "get", index=0, id="a"), fragment(":1}", index=0), whole) == [
        ("a", "get", {"x": 1})
    ]
    assert seen(whole, whole) == [("a", "get", {"x": 1})]
    nameless = fragment('{"x": 1}', "get", index=0)
    assert seen(nameless, nameless) == [(None, "get", {"x": 1})]


@pytest.mark.parametrize(
    "names", [["edit_", "file"], ["edit_file", "edit_file"], ["edit_", "edit_file"], ["edit_file", ""]]
)
def test_a_name_comes_in_pieces_repeated_or_growing(names: list[str]) -> None:
    assert seen(*(fragment(None, name, index=0, id="a") for name in names)) == [("a", "edit_file", {})]


@pytest.mark.parametrize("arguments", ["", None, "  ", "{}", {}])
def test_no_arguments_are_an_empty_object(arguments: Any) -> None:
    (call,) = gather(fragment(arguments, "now", id="a"))
    assert (call.arguments, call.run) == ({}, True)


@pytest.mark.parametrize(
    "arguments",
    [
        "[]",
        [],
        "null",
        '"{}"',
        "1",
        0,
        False,
        '{"x": 1',
        '{"x": 1}}',
        '{"x": NaN}',
        '{"x": 1e999}',
        "{" * 99_999,
    ],
)
def test_arguments_that_are_no_object_are_never_run(arguments: Any) -> None:
    (call,) = gather(fragment(arguments, "now", id="a"))
    assert (call.arguments, call.run) == (None, False)
    assert call.raw == arguments or not isinstance(arguments, str)


def test_a_call_without_a_name_is_never_run() -> None:
    assert [call.run for call in gather(fragment("{}", id="a"), fragment("{}", "<|call|>", id="b"))] == [
        False
    ] * 2


def test_nothing_runs_where_the_answer_failed() -> None:
    (call,) = gather(fragment('{"x": 1}', "get", id="a"), run=False)
    assert (call.arguments, call.run) == ({"x": 1}, False)


def test_half_a_pair_never_gets_into_arguments() -> None:
    (call,) = gather(fragment('{"x": "a\\ud83d', "get", id="a"), fragment('\\ude00 \\ud83d"}', id="a"))
    assert call.arguments == {"x": "a\U0001f600 \ufffd"}
    (call,) = gather(fragment('{"x": "\ud83d', "get", id="a"), fragment('\ude00"}', id="a"))
    assert call.arguments == {"x": "\U0001f600"}


def test_members_of_a_whole_message_are_never_merged() -> None:
    calls = gather(fragment("", "now"), fragment("", "now"), whole=True)
    assert [call.name for call in calls] == ["now", "now"]


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("get", "get"),
        ("get<|channel|>commentary", "get"),
        ("<|start|>functions.get<|message|>", "get"),
        ("functions.get", "get"),
        (" get ", "get"),
        ("<|channel|>", ""),
        ("a.b", "a.b"),
    ],
)
def test_a_name_loses_what_the_chat_template_leaks(name: str, clean: str) -> None:
    assert clean_name(name) == clean


def test_many_fragments_of_one_call_take_linear_time() -> None:
    pieces = ['{"x": "', *["}" * 100] * 20_000, '"}']
    (call,) = gather(*(fragment(piece, "put", index=0, id="a") for piece in pieces[:200]))
    assert call.run is False
    (call,) = gather(fragment("", "put", index=0, id="a"), *(fragment(piece, index=0) for piece in pieces))
    assert call.arguments == {"x": "}" * 2_000_000}
