"""Titles: the first line, and what is made of a model's answer."""

from __future__ import annotations

import pytest

from agentctl.chat.title import clean_title, first_line, is_enough


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
    ],
)
def test_a_models_answer_is_cleaned(answer: str, title: str | None) -> None:
    assert clean_title(answer) == title


def test_a_title_is_said_once_its_line_is_whole() -> None:
    assert not is_enough("Cooking")
    assert not is_enough("\n\nCooking")
    assert is_enough("Cooking\n")
    assert is_enough("x" * 500)
