from __future__ import annotations

import json
from typing import Any

import pytest

from agentctl.domain.message import Usage
from agentctl.providers.base import Delta
from tests.providers.openai_responses.streams import added, completed, done, event, message, play, read, said


def test_words_come_as_they_are_said() -> None:
    items = read(added(message()), said("你"), said("好🌍"), completed(message("你好🌍")))
    assert items[:-1] == [Delta("text", "你"), Delta("text", "好🌍")]


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"item_id": None},
        {"output_index": None},
        {"content_index": None},
        {"item_id": None, "output_index": None, "content_index": None},
        {"item_id": ""},
    ],
)
def test_deltas_find_their_message_by_whatever_they_carry(keys: dict[str, Any]) -> None:
    deltas = said("Hello", **keys), said(" world", **keys)
    for start in ((), (added(message()),), (added(message(item_id="")),)):
        for end in ((), (done(message("Hello world")),)):
            assert play(*start, *deltas, *end, completed(message("Hello world"))).text == "Hello world"
            assert play(*start, *deltas, *end, completed()).text == "Hello world"


@pytest.mark.parametrize(
    "whole",
    [
        event("output_text.done", item_id="msg_1", output_index=0, content_index=0, text="Hello world"),
        event("output_text.done", text="Hello world"),
        event(
            "content_part.done",
            item_id="msg_1",
            output_index=0,
            content_index=0,
            part={"type": "output_text", "text": "Hello world"},
        ),
        done(message("Hello world")),
        done(message("Hello world", item_id="")),
        "",
    ],
)
def test_text_that_is_sent_whole_is_shown_once_and_its_missing_end_too(whole: str) -> None:
    end = completed(message("Hello world"))
    for before in ((), (said("Hello"),), (said("Hello"), said(" world")), (added(message()),)):
        assert play(*before, whole, end).text == "Hello world"
        assert play(*before, whole, whole, end, end).text == "Hello world"
        if whole:
            assert play(*before, whole, completed()).text == "Hello world"


def test_what_was_shown_stays_where_the_end_says_something_else() -> None:
    assert play(said("Hello"), completed(message("Goodbye"))).text == "Hello"
    assert play(said("Hello"), done(message("Hell")), completed(message("Hell"))).text == "Hello"


def test_ids_that_change_with_every_event_leave_the_place() -> None:
    first, second = said("Hello", item_id="a"), said(" world", item_id="b")
    for end in (completed(message("Hello world", item_id="e")), completed()):
        reply = play(
            added(message(item_id="z")), first, second, done(message("Hello world", item_id="d")), end
        )
        assert reply.text == "Hello world"


def test_one_place_for_several_messages_leaves_the_ids() -> None:
    a, b = message("One. ", item_id="a"), message("Two.", item_id="b")
    deltas = said("One. ", item_id="a"), said("Two.", item_id="b")
    assert play(added(a), deltas[0], done(a), added(b), deltas[1], done(b), completed(a, b)).text == (
        "One. Two."
    )
    assert play(deltas[0], done(a), deltas[1], done(b), completed(a, b)).text == "One. Two."
    assert play(completed(a, b)).text == "One. Two."


def test_several_parts_of_a_message_are_one_text() -> None:
    parts = [said("a", content_index=0), said("b", content_index=1)]
    whole = message("a", "b")
    assert play(*parts, done(whole), completed(whole)).text == "ab"
    assert play(said("a"), said("b"), done(whole), completed(whole)).text == "ab"
    assert play(said("a"), completed(whole)).text == "ab"
    assert play(completed(whole)).text == "ab"


def test_a_remark_on_the_way_is_a_text_of_its_own() -> None:
    remark = message("Let me see.", item_id="a", phase="commentary")
    answer = message("It is 4.", item_id="b", phase="final_answer")
    deltas = said("Let me see.", item_id="a"), said("It is 4.", item_id="b", output_index=1)
    for chunks in (
        (added(remark), deltas[0], done(remark), added(answer, 1), deltas[1], done(answer, 1)),
        (done(remark), done(answer, 1)),
        (),
    ):
        assert play(*chunks, completed(remark, answer)).text == "Let me see.\n\nIt is 4."


def test_a_refusal_is_text_and_said_to_be_one() -> None:
    part = {"type": "refusal", "refusal": "I cannot help."}
    whole = {**message(), "content": [part]}
    deltas = [
        event("refusal.delta", item_id="msg_1", output_index=0, content_index=0, delta=text)
        for text in ("I cannot", " help.")
    ]
    end = event("refusal.done", item_id="msg_1", output_index=0, content_index=0, refusal="I cannot help.")
    part_end = event("content_part.done", item_id="msg_1", output_index=0, content_index=0, part=part)
    for chunks in (deltas, [*deltas, end, part_end, done(whole)], [end], [part_end], [done(whole)], []):
        reply = play(added(message()), *chunks, completed(whole))
        assert (reply.text, reply.refusal, reply.finish) == ("I cannot help.", True, "stop")
    assert play(*deltas, completed()).refusal
    assert not play(said("x"), completed(message("x"))).refusal


def test_unknown_events_and_items_are_ignored() -> None:
    odd = {"id": "x_1", "type": "brand_new", "content": [{"type": "output_text", "text": "zzz"}]}
    reply = play(
        'data: {"type":"keepalive","sequence_number":1}\n\n',
        ": comment\n\n",
        event("brand_new.delta", delta="zzz"),
        event("brand_new", message="zzz", code="x"),
        event("output_text.annotation.added", annotation={"type": "url_citation"}),
        added(odd, 0),
        done(odd, 0),
        event("web_search_call.completed", output_index=0, item_id="ws_1"),
        said("Hello", output_index=1),
        completed(odd, message("Hello")),
    )
    assert (reply.text, reply.finish, reply.fault, reply.calls) == ("Hello", "stop", None, ())


def test_the_type_in_the_data_beats_the_name_of_the_event_and_stands_in_for_it() -> None:
    wrong = said("a").replace("event: response.output_text.delta", "event: response.completed")
    nameless = said("b").partition("\n")[2]
    typeless = 'event: response.output_text.delta\ndata: {"delta":"c","item_id":"msg_1"}\n\n'
    odd = 'event: response.output_text.delta\ndata: {"type":["x"],"delta":"d","item_id":"msg_1"}\n\n'
    assert play(wrong, nameless, typeless, odd, completed()).text == "abcd"


WHOLE = {"id": "r", "object": "response", "output": [message("Hi")], "usage": {"input_tokens": 3}}


@pytest.mark.parametrize("frame", ["{}", "data: {}\n\n", "event: response.completed\ndata: {}\n\n", "\n{}\n"])
@pytest.mark.parametrize("status", [{"status": "completed"}, {}, {"status": None}])
def test_a_whole_response_instead_of_a_stream_is_read(frame: str, status: dict[str, Any]) -> None:
    body = json.dumps({**WHOLE, "error": None, "incomplete_details": None, **status})
    reply = play(frame.replace("{}", body), content_type="application/json")
    assert (reply.text, reply.finish, reply.fault, reply.usage) == ("Hi", "stop", None, Usage(input=3))


def test_indented_json_over_several_reads_is_read() -> None:
    body = json.dumps(WHOLE, indent=2)
    assert play(*[body[i : i + 7] for i in range(0, len(body), 7)]).text == "Hi"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a\\u2028b\u2028c\x85d", "a\u2028b\u2028c\x85d"),
        ("tab\there", "tab\there"),
        ("\\ud83d\\ude00", "😀"),
        ("half \\ud83d!", "half \ufffd!"),
        ("nul\\u0000", "nul\x00"),
    ],
)
def test_odd_characters_stay_text(raw: str, text: str) -> None:
    delta = 'data: {"type":"response.output_text.delta","item_id":"msg_1","delta":"RAW"}\n\n'.replace(
        "RAW", raw
    )
    assert play(delta, completed()).text == text
    assert play(delta, completed(message(text))).text == text


def test_a_character_over_two_deltas_or_two_reads_is_whole() -> None:
    halves = [said("HALF").replace("HALF", half) for half in ("\\ud83d", "\\ude00")]
    assert play(*halves, completed(message("😀"))).text == "😀"
    data = said("é😀").encode()
    assert play(*[data[i : i + 1] for i in range(len(data))], completed()).text == "é😀"


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_every_line_end_of_the_standard_ends_a_line(end: str) -> None:
    stream = (said("Hello") + completed(message("Hello"))).replace("\n", end)
    assert play(stream).text == "Hello"
    assert play(*stream).text == "Hello"


def test_an_event_of_several_megabytes_is_read() -> None:
    assert len(play(said("x" * 3_000_000), completed()).text) == 3_000_000


def test_counts_are_those_of_the_last_report() -> None:
    usage = {
        "input_tokens": 9,
        "output_tokens": 7,
        "total_tokens": 16,
        "input_tokens_details": {"cached_tokens": 4},
        "output_tokens_details": {"reasoning_tokens": 5},
    }
    assert play(completed(message("a"), usage=usage)).usage == Usage(9, 7, 4, 5)
    again = event("in_progress", response={"usage": {"input_tokens": 1, "output_tokens": 1}})
    assert play(again, completed(message("a"), usage=usage)).usage == Usage(9, 7, 4, 5)
    assert play(completed(message("a"), usage=None)).usage is None
    cut = completed(message("a"), name="incomplete", usage=usage)
    assert play(cut).usage == Usage(9, 7, 4, 5)
    failed = completed(name="failed", usage=usage, error={"code": "server_error", "message": "m"})
    assert play(failed).usage == Usage(9, 7, 4, 5)
