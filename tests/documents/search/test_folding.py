from __future__ import annotations

import pytest

from agentctl.documents.search.folding import find_terms, find_words


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]),
        ("Łódź Ærø straße", ["lodz", "aero", "strass"]),
        ("ＡＢＣ１２３", ["abc123"]),
        ("東京大学", ["東京", "京大", "大学"]),
        ("ﾃﾞｰﾀ", ["デー", "ータ"]),
        ("が か", ["が", "か"]),
        ("고양이", ["고양", "양이"]),
        ("Python入門", ["python", "入門"]),
        ("हिन्दी", ["हिन्दी"]),
        ("snake_case don't 3.14", ["snake", "case", "3", "14"]),
        ("", []),
        ("🎉 — …", []),
    ],
)
def test_text_of_any_script_becomes_terms(text: str, terms: list[str]) -> None:
    assert find_terms(text) == terms


def test_a_form_finds_its_base() -> None:
    assert find_terms("went children bought running") == find_terms("go child buy runs")


def test_what_is_longer_than_any_word_is_cut() -> None:
    assert find_terms("9" * 500) == ["9" * 64]


def test_words_are_found_where_they_stand() -> None:
    text = "Hi 東京、ok"
    assert [text[start:end] for start, end in find_words(text)] == ["Hi", "東京", "ok"]
