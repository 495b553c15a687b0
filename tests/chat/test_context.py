from __future__ import annotations

import time
from typing import Any

import pytest

from agentctl.chat.context import Fit, fit, shrink
from agentctl.domain.message import File, Message, Text, ToolCall, ToolOutput, Usage
from agentctl.domain.tokens import estimate_message
from agentctl.providers.base import ToolSchema

ORIGIN = "openai/small"


def say(role: Any, words: int, **more: Any) -> Message:
    return Message(role, (Text("word " * words),), **more)


def turn(words: int = 100, **more: Any) -> list[Message]:
    return [say("user", words), say("assistant", words, **more)]


def history(turns: int, words: int = 100) -> tuple[Message, ...]:
    """Turns of twice `words` tokens, and a question of five at their end."""
    return (*(message for _ in range(turns) for message in turn(words)), say("user", 5))


def fitted(messages: tuple[Message, ...], window: int | None, **more: Any) -> Fit:
    given: dict[str, Any] = {"system": "", "tools": (), "max_output": 100, "origin": ORIGIN, **more}
    return fit(messages, window=window, **given)


def test_a_history_that_fits_is_sent_whole() -> None:
    messages = history(3)
    kept = fitted(messages, 2000)
    assert kept.messages == messages
    assert (kept.left_out, kept.too_large) == (0, False)
    assert kept.estimated_input == sum(map(estimate_message, messages))


def test_the_oldest_turns_are_left_out_whole_until_the_rest_and_the_answer_have_room() -> None:
    messages = history(20)
    kept = fitted(messages, 2000)
    assert kept.messages == messages[kept.left_out :]
    assert kept.messages[0].role == "user"
    assert 1200 < kept.estimated_input <= 1900
    assert not kept.too_large


def test_nothing_is_left_out_where_the_window_is_unknown() -> None:
    messages = history(400)
    assert fitted(messages, None).messages == messages


def test_a_call_never_loses_its_result() -> None:
    call = ToolCall("ac_1", "calculator", {"expression": "1+1"})
    output = ToolOutput("ac_1", "calculator", "two " * 300, success=True)
    old = [say("user", 300), Message("assistant", (call,)), Message("tool", (output,)), say("assistant", 300)]
    messages = (*old, *turn(), *turn(), say("user", 5))
    for window in range(200, 1800, 50):
        kept = fitted(messages, window)
        assert kept.messages[0].role == "user"
        assert {call.id for message in kept.messages for call in message.calls} == {
            part.call_id
            for message in kept.messages
            for part in message.parts
            if isinstance(part, ToolOutput)
        }


def test_of_the_current_turn_nothing_is_left_out_and_too_large_says_so() -> None:
    call = ToolCall("ac_1", "fetch", {"url": "https://example.org"})
    page = ToolOutput("ac_1", "fetch", "page " * 3000, success=True)
    current = (say("user", 5), Message("assistant", (call,)), Message("tool", (page,)))
    kept = fitted((*turn(), *turn(), *current), 2000)
    assert kept.messages == current
    assert kept.too_large
    assert kept.left_out == 4


def test_system_prompt_tools_and_images_take_their_room() -> None:
    messages = history(20)
    plain = fitted(messages, 4000)
    tools = (ToolSchema("search", "Searches. " * 300, {"type": "object"}),)
    images = (*messages[:-1], Message("user", (Text("see"), File("a.png", "image/png", data=b""))))
    assert fitted(messages, 4000, system="Be kind. " * 200).left_out > plain.left_out
    assert fitted(messages, 4000, tools=tools).left_out > plain.left_out
    assert fitted(images, 4000).left_out > plain.left_out


def test_the_answer_has_the_room_that_the_model_may_need_but_never_all_of_it() -> None:
    messages = history(40)
    assert fitted(messages, 8000, max_output=3000).estimated_input <= 5000
    assert 3000 < fitted(messages, 8000, max_output=100_000).estimated_input <= 4000
    assert 5000 < fitted(messages, 8000, max_output=None).estimated_input <= 6000


def test_what_the_provider_counted_stands_for_all_before_it() -> None:
    counted = say("assistant", 100, origin=ORIGIN, usage=Usage(input=700, output=90))
    messages = (say("user", 1000), counted, say("user", 100))
    total = fitted(messages, None).estimated_input
    # The provider counted 0.7 of the estimate, so the rest is scaled likewise.
    assert 700 + 90 + 55 < total < 700 + 90 + 95
    other = (say("user", 1000), say("assistant", 100, origin="x/y", usage=Usage(700, 90)), say("user", 100))
    assert fitted(other, None).estimated_input == sum(map(estimate_message, other))


def test_a_tokenizer_that_needs_more_leaves_room_for_less() -> None:
    twice = [
        message
        for n in range(10)
        for message in turn(100, origin=ORIGIN, usage=Usage(input=230 + 430 * n, output=215))
    ]
    messages = (*twice, say("user", 5))
    assert fitted(messages, 5000).left_out == 0
    kept = fitted(messages, 3000)
    plain = fitted(history(10), 3000)
    assert plain.left_out == 0
    assert kept.left_out > 0
    assert kept.estimated_input <= 2900


def test_counts_that_are_nonsense_are_not_believed_beyond_a_factor_of_two() -> None:
    absurd = say("assistant", 100, origin=ORIGIN, usage=Usage(input=1, output=1))
    kept = fitted((*turn(2000), *turn(2000)[:1], absurd, say("user", 1000)), None)
    assert kept.estimated_input >= 500


@pytest.mark.parametrize("scale", [0.6, 1.0, 1.5])
def test_the_count_of_a_request_that_was_itself_cut_does_not_stand_for_the_whole(scale: float) -> None:
    messages: tuple[Message, ...] = ()
    starts = []
    for _ in range(80):
        messages = (*messages, say("user", 40))
        kept = fitted(messages, 3000)
        true = round(scale * sum(map(estimate_message, kept.messages)))
        assert true <= 2900
        starts.append(kept.left_out)
        usage = Usage(input=true, output=round(scale * 42))
        messages = (*messages, say("assistant", 40, origin=ORIGIN, usage=usage))
    assert starts == sorted(starts)
    # The start of a request stays the same for some turns, which keeps the provider's cache warm.
    assert 5 < len(set(starts)) < 40


def test_estimates_of_an_earlier_step_are_not_made_again() -> None:
    messages = history(500, words=400)
    first = fitted(messages, 100_000)
    started = time.process_time()
    again = fitted((*messages, say("assistant", 5)), 100_000, earlier=first)
    spent = time.process_time() - started
    assert again.measured.sizes[:-1] == first.measured.sizes
    assert spent < 5


def test_a_refused_request_is_cut_to_the_maximum_that_the_server_names() -> None:
    messages = history(40)
    whole = fitted(messages, None)
    less = shrink(whole, "maximum context length is 4096 tokens")
    assert less is not None
    assert less.messages == messages[less.left_out :]
    assert less.messages[0].role == "user"
    assert 3000 < less.estimated_input <= 3996


def test_the_server_s_own_count_corrects_the_estimate() -> None:
    whole = fitted(history(40), None)
    assert 8000 < whole.estimated_input < 9500
    less = shrink(whole, "prompt is too long: 18000 tokens > 10000 maximum")
    assert less is not None
    assert less.estimated_input <= 9900 * whole.estimated_input / 18000


def test_without_a_number_two_fifths_go() -> None:
    whole = fitted(history(40), None)
    less = shrink(whole, "the request is too long")
    assert less is not None
    assert 0.45 < less.estimated_input / whole.estimated_input <= 0.6


def test_at_least_one_turn_more_is_left_out_however_large_the_server_says_it_is() -> None:
    kept = fitted(history(20), 2000)
    less = shrink(kept, "maximum context length is 1000000 tokens")
    assert less is not None
    assert less.left_out > kept.left_out


@pytest.mark.parametrize("messages", [history(0), history(3)])
def test_where_only_the_current_turn_is_left_nothing_can_be_left_out(messages: tuple[Message, ...]) -> None:
    kept = fitted(messages, 50)
    assert kept.messages == messages[-1:]
    assert shrink(kept, "too long") is None
