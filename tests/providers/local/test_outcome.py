from __future__ import annotations

import json

import pytest

from agentctl.domain.message import ToolCall, ToolOutput
from agentctl.providers.local.outcome import Outcome, build_question, find_omission, tell_literally


def make_outcome(output: str, *, success: bool = True, **arguments: object) -> Outcome:
    return Outcome(ToolCall("c", "tool", arguments), ToolOutput("c", "tool", output, success))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("aGVsbG8gd29ybGQ=", "aGVsbG8gd29ybGQ="),
        (json.dumps({"uuids": ["a-1", "b-2"]}), "a-1\nb-2"),
        ('{\n  "a": 1\n}', '{\n  "a": 1\n}'),
        ('{"x":1}', '{"x":1}'),
        ("你好", "你好"),
    ],
)
def test_what_a_model_would_spoil_is_told_as_it_is(text: str, told: str) -> None:
    assert tell_literally([make_outcome(text)]) == told


def test_a_failure_is_told_and_not_explained_away() -> None:
    assert (
        tell_literally([make_outcome("Error: division by zero", success=False)]) == "tool: division by zero"
    )


@pytest.mark.parametrize(
    "text",
    [json.dumps({"expression": "1+1", "result": "2"}), "a long page " * 100, json.dumps({"count": 1})],
)
def test_the_rest_is_for_the_model(text: str) -> None:
    assert tell_literally([make_outcome(text)]) is None


def test_without_any_result_there_is_nothing_to_tell() -> None:
    assert tell_literally([]) is None


def test_one_result_for_the_model_is_enough_to_ask_it() -> None:
    both = [make_outcome("abc"), make_outcome(json.dumps({"a": "1", "b": "2"}))]
    assert tell_literally(both) is None
    assert "abc" in build_question("?", both)


def test_the_question_keeps_its_language() -> None:
    outcome = make_outcome("{}")
    assert "回答问题" in build_question("今天是几号？", [outcome])
    assert "回答问题" not in build_question("今日は何日ですか", [outcome])


def test_the_one_value_of_a_result_must_be_in_the_answer() -> None:
    outcome = make_outcome(json.dumps({"expression": "37*91", "result": "3367"}), expression="37*91")
    assert find_omission("It is 3376.", "?", [outcome]) == "3367"
    assert find_omission("It is 3,367.", "?", [outcome]) is None


def test_an_answer_about_a_list_names_one_of_its_members() -> None:
    data = {"count": 2, "matches": [{"match": "foo", "start": 0}, {"match": "bar", "start": 4}]}
    outcome = make_outcome(json.dumps(data), text="foo1bar2")
    assert find_omission("In 'foo1bar2' it returns a list.", "?", [outcome]) == json.dumps(data)
    assert find_omission('It found "foo" and "bar".', "?", [outcome]) is None


def test_results_with_several_values_may_be_told_in_other_words() -> None:
    outcome = make_outcome(json.dumps({"time": "2026-11-30T20:00:00", "weekday": "Monday"}))
    assert find_omission("It is November 30.", "?", [outcome]) is None


def test_a_question_repeated_is_no_answer() -> None:
    outcome = make_outcome(json.dumps({"time": "2026-11-30T20:00:00", "weekday": "Monday"}))
    assert find_omission("现在几点了。", "现在几点了？", [outcome]) == outcome.output.text
