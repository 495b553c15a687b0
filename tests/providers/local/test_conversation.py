from __future__ import annotations

from agentctl.domain.message import Message, Text, ToolCall, ToolOutput
from agentctl.domain.tokens import estimate_tokens
from agentctl.providers.local.conversation import (
    build_turns,
    choices_before,
    read_exchanges,
    shorten,
)
from agentctl.providers.local.route import Choice


def user(text: str) -> Message:
    return Message("user", (Text(text),))


def assistant(*parts: Text | ToolCall) -> Message:
    return Message("assistant", parts)


HISTORY = (
    user("2*3?"),
    assistant(ToolCall("1", "calculator", {"expression": "2*3"})),
    Message("tool", (ToolOutput("1", "calculator", '{"result": "6"}', True),)),
    assistant(Text("It is 6.")),
    user("and times 2?"),
)


def test_calls_and_results_of_earlier_turns_become_plain_words() -> None:
    turns = build_turns(read_exchanges(HISTORY), "Be brief.", 1000)
    assert [turn["role"] for turn in turns] == ["system", "user", "assistant", "user"]
    assert [turn["content"] for turn in turns] == ["Be brief.", "2*3?", "It is 6.", "and times 2?"]


def test_the_last_exchange_knows_its_results() -> None:
    last = read_exchanges(HISTORY[:3])[-1]
    assert (last.question, last.answer) == ("2*3?", "")
    assert last.outcomes[0].output.text == '{"result": "6"}'


def test_a_result_without_words_stands_for_the_answer() -> None:
    turns = build_turns(read_exchanges((*HISTORY[:3], user("next"))), "", 1000)
    assert turns[1] == {"role": "assistant", "content": '{"result": "6"}'}


def test_earlier_choices_are_remembered() -> None:
    assert choices_before(read_exchanges(HISTORY), 2) == [
        ("2*3?", Choice("calculator", {"expression": "2*3"}))
    ]


def talk(count: int) -> list[Message]:
    return [
        message for n in range(count) for message in (user(f"question {n}"), assistant(Text("word " * 50)))
    ]


def test_the_start_of_a_long_conversation_moves_seldom() -> None:
    starts = [
        build_turns(read_exchanges([*talk(count), user("next")]), "", 1000)[0]["content"]
        for count in range(40, 60)
    ]
    assert 1 < len(set(starts)) <= 6


def test_the_oldest_turns_go_first_and_the_rest_fits() -> None:
    history = [
        message for n in range(200) for message in (user(f"question {n}"), assistant(Text("word " * 50)))
    ]
    turns = build_turns(read_exchanges([*history, user("the last one")]), "system", 1000)
    assert turns[-1]["content"] == "the last one"
    assert turns[-3]["content"] == "question 199"
    assert sum(estimate_tokens(turn["content"]) for turn in turns) <= 1000


def test_a_question_that_is_too_long_alone_loses_its_middle() -> None:
    turns = build_turns(read_exchanges([user("start " + "中" * 100_000 + " end")]), "s" * 100_000, 1000)
    assert turns[-1]["content"].startswith("start")
    assert turns[-1]["content"].endswith("end")
    assert sum(estimate_tokens(turn["content"]) for turn in turns) <= 1010


def test_what_fits_is_not_touched() -> None:
    assert shorten("hello 世界", 100) == "hello 世界"
