from __future__ import annotations

import json
from typing import Any

from agentctl.domain.message import Message, Reasoning, Text, ToolCall, ToolOutput
from agentctl.providers.openai_chat.messages import build_messages
from agentctl.providers.openai_chat.options import ChatOptions
from agentctl.providers.wire.outputs import NO_RESULT
from tests.providers.asking import make_request

ORIGIN = "mine/m"


def user(text: str) -> Message:
    return Message("user", (Text(text),))


def assistant(*parts: Any, **values: Any) -> Message:
    return Message(
        "assistant", tuple(Text(part) if isinstance(part, str) else part for part in parts), **values
    )


def call(call_id: str, name: str = "get", arguments: Any = None, raw: str | None = None) -> ToolCall:
    return ToolCall(call_id, name, {} if arguments is None and raw is None else arguments, raw)


def result(call_id: str, text: str = "done") -> Message:
    return Message("tool", (ToolOutput(call_id, "get", text, True),))


def build(*messages: Message, system: str = "", **options: Any) -> list[dict[str, Any]]:
    return build_messages(make_request(messages=messages, system=system), ChatOptions(**options))


def roles(wire: list[dict[str, Any]]) -> list[str]:
    return [entry["role"] for entry in wire]


def ids(wire: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The ids of calls and of results, in order."""
    calls = [call["id"] for entry in wire for call in entry.get("tool_calls", ())]
    return calls, [entry["tool_call_id"] for entry in wire if entry["role"] == "tool"]


def test_the_system_prompt_is_one_leading_message() -> None:
    assert build(user("Hi"), system="Be brief.") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
    ]
    assert build(user("Hi"), system=" \n") == [{"role": "user", "content": "Hi"}]


def test_neighbours_of_one_role_are_merged() -> None:
    wire = build(user("a"), user("b"), assistant("c"), assistant("d"), user("e"))
    assert [(entry["role"], entry["content"]) for entry in wire] == [
        ("user", "a\n\nb"),
        ("assistant", "c\n\nd"),
        ("user", "e"),
    ]


def test_messages_without_words_or_calls_are_left_out() -> None:
    wire = build(user("a"), assistant(), user(" "), assistant(Reasoning("hm")), user("b"))
    assert wire == [{"role": "user", "content": "a\n\nb"}]


def test_an_answer_never_ends_in_white_space() -> None:
    wire = build(user("a"), assistant("b \n"), user("c"), assistant(" \n", call("ac_1")), result("ac_1"))
    assert [entry["content"] for entry in wire] == ["a", "b", "c", None, "done"]


def test_thoughts_of_merged_messages_are_merged() -> None:
    replay = {"reasoning_content": "1", "reasoning_details": [{"text": "1"}]}
    first = assistant("b", origin=ORIGIN, replay=replay)
    second = assistant("c", origin=ORIGIN, replay={**replay, "reasoning_content": "2"})
    (_, entry) = build(user("a"), first, second, replay_reasoning="all")
    assert entry == {
        "role": "assistant",
        "content": "b\n\nc",
        "reasoning_content": "1\n\n2",
        "reasoning_details": [{"text": "1"}, {"text": "1"}],
    }


def test_a_call_and_its_result_follow_each_other() -> None:
    wire = build(
        user("a"), assistant("b", call("ac_1", arguments={"x": "é"})), result("ac_1", "c"), assistant("d")
    )
    assert wire[1:3] == [
        {
            "role": "assistant",
            "content": "b",
            "tool_calls": [
                {"id": "ac_1", "type": "function", "function": {"name": "get", "arguments": '{"x": "é"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "ac_1", "content": "c"},
    ]
    assert roles(wire) == ["user", "assistant", "tool", "assistant"]


def test_a_text_may_come_before_the_call_in_a_message_of_its_own() -> None:
    wire = build(user("a"), assistant("b"), assistant(call("ac_1")), result("ac_1"))
    assert roles(wire) == ["user", "assistant", "tool"]
    assert (wire[1]["content"], len(wire[1]["tool_calls"])) == ("b", 1)


def test_results_come_in_the_order_of_the_calls_from_wherever_they_stand() -> None:
    both = Message("tool", (ToolOutput("ac_2", "get", "2", True), ToolOutput("ac_1", "get", "1", False)))
    wire = build(
        user("a"), assistant(call("ac_1"), call("ac_2"), call("ac_3")), both, user("b"), result("ac_3", "3")
    )
    assert roles(wire) == ["user", "assistant", "tool", "tool", "tool", "user"]
    assert [entry["content"] for entry in wire[2:5]] == ["1", "2", "3"]


def test_a_call_that_was_interrupted_gets_a_result_that_says_so() -> None:
    wire = build(user("a"), assistant(call("ac_1"), call("ac_2")), result("ac_2"), user("b"))
    assert [entry["content"] for entry in wire[2:4]] == [NO_RESULT, "done"]


def test_a_result_without_a_call_is_left_out() -> None:
    assert roles(build(user("a"), result("ac_9"), assistant("b"))) == ["user", "assistant"]


def test_ids_that_repeat_are_told_apart_and_keep_their_results() -> None:
    turn = [assistant(call("read:0")), result("read:0", "1")]
    again = [assistant(call("read:0")), result("read:0", "2")]
    wire = build(user("a"), *turn, user("b"), *again)
    calls, results = ids(wire)
    assert calls == results == ["read:0", "read:0_2"]
    assert [entry["content"] for entry in wire if entry["role"] == "tool"] == ["1", "2"]


def test_short_ids_are_nine_letters_or_digits_and_stay_the_same() -> None:
    history = [user("a"), assistant(call("ac_1"), call("ac_1"), call("ac_2")), result("ac_1"), result("ac_2")]
    calls, results = ids(build(*history, short_call_ids=True))
    assert calls == results
    assert len(set(calls)) == 3
    assert all(len(one) == 9 and one.isalnum() and one.isascii() for one in calls)
    assert ids(build(*history, user("b"), short_call_ids=True)) == (calls, results)


def test_arguments_that_were_no_object_go_back_as_one() -> None:
    wire = build(user("a"), assistant(call("ac_1", raw='{"x": ')), result("ac_1"))
    arguments = wire[1]["tool_calls"][0]["function"]["arguments"]
    assert isinstance(arguments, str)
    assert json.loads(arguments) == {"INVALID_JSON": '{"x": '}


REPLAY = {"reasoning_content": "raw", "reasoning_details": [{"data": "ENC"}], "call_extras": [{"sig": 1}]}


def test_details_and_signatures_go_back_to_their_origin() -> None:
    wire = build(user("a"), assistant(call("ac_1"), origin=ORIGIN, replay=REPLAY), result("ac_1"))
    assert wire[1]["reasoning_details"] == [{"data": "ENC"}]
    assert wire[1]["tool_calls"][0]["extra_content"] == {"sig": 1}
    assert "reasoning_content" not in wire[1]


def test_nothing_of_another_origin_is_sent() -> None:
    options: dict[str, Any] = {"replay_reasoning": "all"}
    for origin in ("other/m", "mine/other", None):
        message = assistant("b", Reasoning("hm"), call("ac_1"), origin=origin, replay=REPLAY)
        (entry,) = [entry for entry in build(user("a"), message, **options) if entry["role"] == "assistant"]
        assert entry.keys() == {"role", "content", "tool_calls", "reasoning_content"}
        assert entry["reasoning_content"] == ""
        assert entry["tool_calls"][0].keys() == {"id", "type", "function"}


def test_reasoning_goes_back_only_where_the_option_says_so() -> None:
    with_call = assistant(call("ac_1"), Reasoning("shown"), origin=ORIGIN, replay=REPLAY)
    without = assistant("b", Reasoning("shown"), origin=ORIGIN)

    def sent(option: Any) -> list[Any]:
        wire = build(user("a"), with_call, result("ac_1"), user("c"), without, replay_reasoning=option)
        return [entry.get("reasoning_content") for entry in wire if entry["role"] == "assistant"]

    assert sent(False) == [None, None]
    assert sent(True) == ["raw", None]
    assert sent("all") == ["raw", "shown"]
