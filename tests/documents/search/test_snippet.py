from __future__ import annotations

import pytest

from agentctl.documents.search.snippet import LENGTH, cut_snippet, find_literal

FAMILY = "👨‍👩‍👧‍👦"


def marked(content: str, *terms: str, literal: str | None = None, start: int = 0) -> list[str]:
    snippet = cut_snippet(content, start, frozenset(terms), literal)
    return [snippet.text[begin:end] for begin, end in snippet.marks]


def test_every_form_of_a_word_is_marked() -> None:
    assert marked("He went running, she runs.", "run", "go") == ["went", "running", "runs"]


def test_words_of_scripts_without_spaces_are_marked() -> None:
    assert marked("私は東京大学で勉強する", "東京", "京大", "大学") == ["東京大学"]
    assert marked("黒い猫が好き", "猫*") == ["猫が"]


def test_what_was_asked_for_literally_is_marked() -> None:
    assert marked("It was 50% OFF.", literal="50% off") == ["50% OFF"]


def test_a_snippet_is_one_line_that_says_where_it_was_cut() -> None:
    content = "before\n" * 50 + "the word\nstands here\n" + "after\n" * 80
    snippet = cut_snippet(content, content.index("the word"), frozenset({"word"}), None)
    assert snippet.text.startswith("…the word stands here after")
    assert snippet.text.endswith("…")
    assert "\n" not in snippet.text


def test_a_word_far_into_a_long_line_is_shown() -> None:
    content = "filler " * 60 + "needle " + "filler " * 60
    assert marked(content, "needl") == ["needle"]


@pytest.mark.parametrize("piece", [FAMILY, "e\u0301", "🇩🇪", "👍🏽", "❤️", "각", "नि"])
def test_no_character_is_cut_apart(piece: str) -> None:
    for shift in range(len(piece) * 2):
        content = "x" * shift + piece * 200
        text = cut_snippet(content, 0, frozenset(), None).text.strip("x…")
        assert text == piece * (len(text) // len(piece))
        assert 0 < len(text) <= LENGTH


def test_capitals_play_no_part_where_like_ignores_them() -> None:
    assert find_literal("say HELLO", "hello") == 4
    assert find_literal("ÄRGER", "ärger") == -1
