"""Titles: the first line, and what is made of a model's answer."""

from __future__ import annotations

import asyncio

import pytest

from agentctl.documents.titles import TitleFailed, clean_title, first_line, is_enough, make_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("  \n How do I\tcook rice? \nmore", "How do I cook rice?"),
        ("今天天气怎么样", "今天天气怎么样"),
        ("word " * 30, "word word word word word word word word word…"),
        ("x" * 60, "x" * 49 + "…"),
        ("汉" * 60, "汉" * 49 + "…"),
        ("", ""),
    ],
)
def test_the_first_line_is_cut_at_a_word(text: str, title: str) -> None:
    assert first_line(text) == title
    assert len(first_line(text)) <= 50


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ('"Cooking rice."', "Cooking rice"),
        ("Title: Cooking rice", "Cooking rice"),
        ("**Cooking rice**\n\nThis title says", "Cooking rice"),
        ("标题：做饭", "做饭"),
        ("「ご飯の炊き方」", "ご飯の炊き方"),
        ("  \n ", None),
        ('""', None),
        ("---\n\n# Title:\nCooking rice", "Cooking rice"),
        ("标题：「做饭」\n", "做饭"),
        ("🙂", None),
        ("word " * 60, None),
    ],
)
def test_a_models_answer_is_cleaned(answer: str, title: str | None) -> None:
    assert clean_title(answer) == title


def test_a_title_is_said_once_its_line_is_whole() -> None:
    assert not is_enough("Cooking")
    assert not is_enough("\n\nCooking")
    assert is_enough("Cooking\n")
    assert is_enough("x" * 500)
    assert not is_enough("Title:\n")


def complete_with(*pieces: str, fails: bool = False):
    asked: list[str] = []

    async def complete(system: str, text: str):
        asked.append(text)
        for piece in pieces:
            yield piece
        if fails:
            raise TitleFailed

    return complete, asked


@pytest.mark.parametrize(
    ("strategy", "pieces", "fails", "title"),
    [
        ("llm", ["Cooking ", "rice\n", "and more"], False, "Cooking rice"),
        ("llm", ["Cook"], True, "How do I cook rice?"),
        ("llm", ["***"], False, "How do I cook rice?"),
        ("first-line", ["never asked"], False, "How do I cook rice?"),
        ("none", ["never asked"], False, None),
    ],
)
def test_the_first_line_stands_in_where_a_model_fails(
    strategy: str, pieces: list[str], fails: bool, title: str | None
) -> None:
    complete, asked = complete_with(*pieces, fails=fails)
    assert asyncio.run(make_title("How do I cook rice?\nPlease.", strategy, complete)) == title
    assert bool(asked) == (strategy == "llm")


def test_a_text_without_words_gets_no_title_and_no_request() -> None:
    complete, asked = complete_with("Something")
    assert asyncio.run(make_title(" \n ", "llm", complete)) is None
    assert asked == []
