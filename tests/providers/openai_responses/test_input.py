from __future__ import annotations

import json
from typing import Any

import pytest

from agentctl.domain.message import File, Message, Reasoning
from agentctl.providers.openai_responses.input import build_input
from agentctl.providers.wire.outputs import NO_RESULT
from tests.providers.asking import make_request
from tests.providers.openai_responses.histories import asks, result, sealed, sent, turn, user


def build(*messages: Message, **values: Any) -> list[dict[str, Any]]:
    return build_input(make_request(messages=messages), **values)


def kinds(items: list[dict[str, Any]]) -> list[str]:
    return [item.get("role") or item["type"] for item in items]


def test_messages_calls_and_results_are_items_of_their_own() -> None:
    assert build(user("a"), turn("b", asks("ac_1", {"x": "é"})), result("ac_1", text="c"), turn("d")) == [
        {"type": "message", "role": "user", "content": "a"},
        {"type": "message", "role": "assistant", "content": "b"},
        {"type": "function_call", "call_id": "ac_1", "name": "get", "arguments": '{"x": "é"}'},
        {"type": "function_call_output", "call_id": "ac_1", "output": "c"},
        {"type": "message", "role": "assistant", "content": "d"},
    ]


def test_neighbours_of_one_role_are_merged() -> None:
    items = build(user("a"), user("b"), turn("c"), turn("d"), user("e"))
    assert [item["content"] for item in items] == ["a\n\nb", "c\n\nd", "e"]


def test_messages_without_words_are_left_out() -> None:
    items = build(user("a"), turn(), user(" "), turn(Reasoning("hm")), turn(" \n"), user("b"))
    assert items == [{"type": "message", "role": "user", "content": "a\n\nb"}]


def test_results_follow_their_calls_from_wherever_they_stand() -> None:
    items = build(
        user("a"), turn(asks("c1"), asks("c2"), asks("c3")), result("c3", "c1"), user("b"), result("c9")
    )
    assert kinds(items) == ["user", *["function_call"] * 3, *["function_call_output"] * 3, "user"]
    assert [item["output"] for item in items[4:7]] == ["done", NO_RESULT, "done"]


def test_images_and_documents_go_as_bytes_or_as_addresses() -> None:
    (item,) = build(
        user(
            "Look",
            File("a.png", "image/png", data=b"png"),
            File("b.pdf", "application/pdf", data=b"pdf"),
            File("c.jpg", "image/jpeg", url="https://x.example/c.jpg"),
            File("d.pdf", "application/pdf", url="https://x.example/d.pdf"),
            File("e.png", "image/png"),
        ),
    )
    assert item["content"] == [
        {"type": "input_text", "text": "Look"},
        {"type": "input_image", "image_url": "data:image/png;base64,cG5n", "detail": "auto"},
        {"type": "input_file", "filename": "b.pdf", "file_data": "data:application/pdf;base64,cGRm"},
        {"type": "input_image", "image_url": "https://x.example/c.jpg", "detail": "auto"},
        {"type": "input_file", "file_url": "https://x.example/d.pdf"},
        {"type": "input_text", "text": "[e.png was attached here, but cannot be shown again.]"},
    ]


def test_a_file_without_words_is_a_message_and_merges_with_words() -> None:
    image = File("a.png", "image/png", data=b"png")
    (item,) = build(user(image), user("What is it?"))
    assert [part["type"] for part in item["content"]] == ["input_image", "input_text"]


@pytest.mark.parametrize("said", [("b",), (asks("c"),), ("b", asks("c"))])
def test_reasoning_goes_back_before_what_it_led_to(said: tuple[Any, ...]) -> None:
    items = build(user("a"), turn(*said, replay={"reasoning_items": [sealed()]}), user("d"))
    assert items[1] == sent()
    assert kinds(items)[2] == ("assistant" if said[0] == "b" else "function_call")


def test_reasoning_that_led_to_nothing_is_left_out() -> None:
    replay = {"reasoning_items": [sealed()]}
    assert kinds(build(user("a"), turn(Reasoning("hm"), replay=replay), user("b"))) == ["user"]
    layout = [{"type": "message", "length": 1}, {"type": "reasoning"}, {"type": "function_call"}]
    lost = turn("b", replay={**replay, "layout": layout})
    assert kinds(build(user("a"), lost, user("c"))) == ["user", "assistant", "user"]


def test_reasoning_of_another_origin_stays_here() -> None:
    for origin in ("mine/other", "other/m", None):
        message = turn("b", origin=origin, replay={"reasoning_items": [sealed()], "layout": []})
        assert kinds(build(user("a"), message)) == ["user", "assistant"]
    mine = turn("b", replay={"reasoning_items": [sealed()]})
    assert kinds(build(user("a"), mine, sealed=False)) == ["user", "assistant"]


def test_reasoning_is_sent_without_what_servers_refuse() -> None:
    plain = sealed("rs_2", content=[{"type": "reasoning_text", "text": "secret"}])
    bare = {"type": "reasoning", "encrypted_content": "E"}
    unsealed = {"type": "reasoning", "id": "rs_3", "summary": []}
    items = build(user("a"), turn("b", replay={"reasoning_items": [plain, bare, unsealed, plain]}))
    assert items[1:3] == [sent("rs_2"), {**bare, "summary": []}]
    assert kinds(items)[3:] == ["assistant"]


def test_the_order_of_the_answer_is_the_order_on_the_wire() -> None:
    layout = [
        {"type": "reasoning"},
        {"type": "message", "length": 11, "phase": "commentary"},
        {"type": "reasoning"},
        {"type": "function_call"},
        {"type": "message", "length": 2},
        {"type": "function_call"},
    ]
    replay = {"reasoning_items": [sealed(), sealed("rs_2")], "layout": layout}
    message = turn("Let me see.\n\nOk", asks("c1"), asks("c2"), replay=replay)
    items = build(user("a"), message, result("c1", "c2"))
    assert kinds(items) == [
        "user",
        "reasoning",
        "assistant",
        "reasoning",
        "function_call",
        "assistant",
        "function_call",
        *["function_call_output"] * 2,
    ]
    assert (items[2]["content"], items[2]["phase"]) == ("Let me see.", "commentary")
    assert items[5] == {"type": "message", "role": "assistant", "content": "Ok"}


def test_a_layout_that_does_not_fit_loses_nothing() -> None:
    layout = [{"type": "message", "length": 1}, {"type": "function_call"}]
    items = build(user("a"), turn("bcd", asks("c1"), asks("c2"), replay={"layout": layout}), user("e"))
    assert [item["content"] for item in items if item["type"] == "message"] == ["a", "bcd", "e"]
    assert kinds(items).count("function_call") == 2


def test_arguments_that_were_none_go_back_as_a_text_that_says_so() -> None:
    item = build(user("a"), turn(asks("c", raw='{"x": ')), result("c"))[1]
    assert json.loads(item["arguments"]) == {"INVALID_JSON": '{"x": '}
