from __future__ import annotations

import time
from typing import Any

import pytest

from agentctl.chat.structured import NotJson, StructuredOutput, read_answer
from agentctl.errors import EmptyAnswer, SchemaBroken

GIVEN = {
    '{"a": 1}': ({"a": 1}, '{"a": 1}'),
    '\ufeff {"a": 1}\n': ({"a": 1}, '{"a": 1}'),
    "[1.50, true, null]": ([1.5, True, None], "[1.50, true, null]"),
    '"words"': ("words", '"words"'),
    '```json\n{"a": 1}\n```': ({"a": 1}, '{"a": 1}'),
    'Here you are:\n\n```\n{"a": 1}\n```\nAnything else?': ({"a": 1}, '{"a": 1}'),
    'Sure! {"a": [1, {"b": 2}]} is my answer.': ({"a": [1, {"b": 2}]}, '{"a": [1, {"b": 2}]}'),
    'In [my] words: ["x"]': (["x"], '["x"]'),
    '{"a": "{b} ```\\n"}': ({"a": "{b} ```\n"}, '{"a": "{b} ```\\n"}'),
    '{"名前": "花子 🎉"}': ({"名前": "花子 🎉"}, '{"名前": "花子 🎉"}'),
    '````\n{"a": "```"}\n````': ({"a": "```"}, '{"a": "```"}'),
}
REFUSED = {
    "": "the answer is empty",
    "No idea.": "the answer is not JSON: expecting value at line 1, column 1",
    '{"a": 1, "a": 2}': 'the key "a" stands twice in one object',
    'So: {"a": {"b": 1, "b": 1}}': 'the key "b" stands twice in one object',
    '{"a": NaN}': "NaN is no number in JSON",
    "[-Infinity]": "-Infinity is no number in JSON",
    "[1e999]": "1e999 is no number in JSON",
    '{"a": 1} or {"a": 2}': "the answer holds more than one JSON value",
    '{"a": 1}{"a": 2}': "the answer holds more than one JSON value",
    "```\n{}\n```\nor\n```\n[]\n```": "the answer has more than one code block",
    "```json\n{a: 1}\n```": "the code block is not JSON: expecting property name enclosed in double quotes at"
    " line 1, column 2",
    '{"a": 1': "the answer is not JSON: expecting ',' delimiter at line 1, column 8",
    "[" * 100_000: "the answer is nested too deeply",
    "9" * 10_000: "the answer holds a number that is too long",
}


@pytest.mark.parametrize("text", GIVEN)
def test_the_value_of_an_answer_is_found(text: str) -> None:
    assert read_answer(text) == GIVEN[text]


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_an_answer_without_one_sound_value_is_refused(text: str) -> None:
    with pytest.raises(NotJson) as caught:
        read_answer(text)
    assert str(caught.value) == REFUSED[text]


def test_half_a_surrogate_pair_is_replaced_in_the_value() -> None:
    assert read_answer('{"a": "\\ud83c"}').value == {"a": "\ufffd"}
    assert read_answer('{"a": "\\ud83c\\udf89"}').value == {"a": "🎉"}


@pytest.mark.parametrize("unit", ["```a\n", "{", '["', "[1,", "```\n", '{"a":', "`"])
def test_a_long_answer_full_of_openings_is_read_in_linear_time(unit: str) -> None:
    started = time.process_time()
    with pytest.raises(NotJson):
        read_answer("x" + unit * 100_000)
    assert time.process_time() - started < 10


def adults(value: Any) -> list[str]:
    faults = [] if value["age"] >= 18 else [f"$.age: must be at least 18, got {value['age']}"]
    return faults * value.get("times", 1)


def test_an_answer_that_keeps_to_the_schema_is_kept_as_it_was_written() -> None:
    output = StructuredOutput(adults)
    assert output.check('Here: {"age": 20.0}')
    output.require()
    assert (output.value, output.text) == ({"age": 20.0}, '{"age": 20.0}')
    assert output.repair() is None


def test_a_wrong_answer_is_explained_to_the_model_once() -> None:
    output = StructuredOutput(adults)
    assert not output.check('{"age": 3}')
    question = output.repair()
    assert question is not None
    assert "- $.age: must be at least 18, got 3\n" in question
    assert not output.check('{"age": 4}')
    assert output.repair() is None
    with pytest.raises(SchemaBroken) as caught:
        output.require()
    assert "$.age: must be at least 18, got 4" in caught.value.message
    assert (caught.value.exit_code, caught.value.kind) == (9, "schema")
    assert isinstance(caught.value, EmptyAnswer)


def test_a_repaired_answer_counts_and_a_good_one_does_not_outlive_a_bad_one() -> None:
    output = StructuredOutput(adults)
    assert not output.check("nothing")
    assert output.check('{"age": 30}')
    output.require()
    assert not output.check('{"age": 1}')
    assert (output.value, output.text) == (None, None)


def test_many_faults_stay_one_line() -> None:
    output = StructuredOutput(adults)
    output.check('{"age": 3, "times": 9}')
    with pytest.raises(SchemaBroken, match=r"; and 6 more$"):
        output.require()
