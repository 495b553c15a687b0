"""Counting, taking, removing and sorting lines, as people and their tools do it."""

from __future__ import annotations

from typing import Any

import pytest

FAMILY = "👨\u200d👩\u200d👧\u200d👦"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", (0, 0, 0, 0, 0)),
        ("one two\nthree", (13, 13, 3, 2, 13)),
        ("one\n", (4, 4, 1, 1, 4)),
        ("one\r\ntwo\rthree", (14, 13, 3, 3, 14)),
        ("今天天气怎么样?", (8, 8, 7, 1, 22)),
        ("Python 很好", (9, 9, 3, 1, 13)),
        ("日本語のテキスト", (8, 8, 8, 1, 24)),
        ("한국어 문장", (6, 6, 2, 1, 16)),
        ("don't well-known 3.14", (21, 21, 3, 1, 21)),
        (FAMILY, (7, 1, 0, 1, 25)),
        ("🇩🇪🇫🇷", (4, 2, 0, 1, 16)),
        ("👍🏽", (2, 1, 0, 1, 8)),
        ("e\u0301te\u0301", (5, 3, 1, 1, 7)),
        ("हिन्दी भाषा", (11, 6, 2, 1, 31)),
        ("\u1112\u1161\u11ab", (3, 1, 1, 1, 9)),
    ],
)
def test_a_text_is_counted(call: Any, text: str, counts: tuple[int, ...]) -> None:
    data = call("text", action="count", text=text).data
    names = ("characters", "graphemes", "words", "lines", "bytes")
    assert tuple(data[name] for name in names) == counts


def test_spaces_can_be_left_out_of_the_count(call: Any) -> None:
    assert call("text", action="count", text="a b\tc\u3000d\n").data["characters_without_spaces"] == 4


@pytest.mark.parametrize(
    ("arguments", "taken"),
    [
        ({}, "a\nb\nc\nd"),
        ({"last": 2}, "a\nb"),
        ({"first": -2}, "c\nd"),
        ({"first": 2, "last": 3}, "b\nc"),
        ({"first": -99, "last": 99}, "a\nb\nc\nd"),
        ({"first": 3, "numbered": True}, "3  c\n4  d"),
    ],
)
def test_lines_are_taken_from_either_end(call: Any, arguments: dict[str, Any], taken: str) -> None:
    assert call("text", action="lines", text="a\nb\nc\nd\n", **arguments).data == {"text": taken}


@pytest.mark.parametrize("arguments", [{"first": 5}, {"first": 3, "last": 2}, {"last": -9}])
def test_lines_that_are_not_there_are_said_to_be_missing(call: Any, arguments: dict[str, Any]) -> None:
    result = call("text", action="lines", text="a\nb\nc\nd", **arguments)
    assert result.error == "there are no such lines: the text has 4"


def test_only_the_first_of_equal_lines_stays_and_the_order_is_kept(call: Any) -> None:
    text = "b\na\nb\nB\n\na\n"
    assert call("text", action="dedupe", text=text).data == {"text": "b\na\nB\n", "removed": 2}
    folded = call("text", action="dedupe", text=text, ignore_case=True)
    assert folded.data == {"text": "b\na\n", "removed": 3}


@pytest.mark.parametrize(
    ("lines", "arguments", "ordered"),
    [
        ("file10 file2 File1", {}, "File1 file2 file10"),
        ("zebra Äpfel apfel über", {}, "apfel Äpfel über zebra"),
        ("b a c", {"reverse": True}, "c b a"),
        ("b B a A", {"order": "text"}, "A B a b"),
        ("x10 x-2 none x1,000 x3.5", {"order": "numeric"}, "x-2 x3.5 x10 x1,000 none"),
        ("-3 1e3 .5 −7", {"order": "numeric"}, "−7 -3 .5 1e3"),
        ("第10章 第2章 第1章", {}, "第1章 第2章 第10章"),
    ],
)
def test_lines_are_sorted_as_people_expect(
    call: Any, lines: str, arguments: dict[str, Any], ordered: str
) -> None:
    text = "\n".join(lines.split())
    assert call("text", action="sort", text=text, **arguments).data["text"].split() == ordered.split()


def test_numbers_of_any_length_can_be_sorted(call: Any) -> None:
    long, longer = "9" * 5_000, "1" + "0" * 5_000
    for order in ("natural", "numeric"):
        text = call("text", action="sort", text=f"{longer}\n{long}\n7", order=order).data["text"]
        assert text == f"7\n{long}\n{longer}"


def test_half_a_million_lines_are_sorted_in_time(call: Any) -> None:
    lines = [str(number % 10) for number in range(499_999)]
    result = call("text", action="sort", text="\n".join(lines))
    assert result.success, result.error
    assert result.data["text"].startswith("0\n0\n")
