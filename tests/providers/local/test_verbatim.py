from __future__ import annotations

import json

import pytest

from agentctl.providers.local.verbatim import CUT_LENGTH, mend


@pytest.mark.parametrize(
    ("request_text", "written", "meant"),
    [
        ("Decode aGVsbG8gd29ybGQ=", "GVsbG8gd29ybGQ=", "aGVsbG8gd29ybGQ="),
        ('Is this valid JSON? {"a": 1,}', '{"a": 1}', '{"a": 1,}'),
        ('pretty print {"name":"Bob"}', '{"name":"Bob"}}.json {"', '{"name":"Bob"}'),
        ("does 'a@b.example' match the regex .+@.+", ".+@+", ".+@.+"),
    ],
)
def test_a_miscopied_piece_is_mended(request_text: str, written: str, meant: str) -> None:
    assert mend({"text": written}, request_text) == {"text": meant}


@pytest.mark.parametrize(
    ("request_text", "written"),
    [
        ("I bought 7 books at 12.50 each", "7*12.50"),
        ("How much is 15% of 240?", "15*240/100"),
        ("What is 37*91? Use the calculator.", "37 * 91"),
        ("What time is it in europe/berlin?", "Europe/Berlin"),
        ("Encode 'hello world' in base64", "hello world"),
        ("把 你好 编码", "你好"),
        ("What time is it in Tokyo?", "Asia/Tokyo"),
    ],
)
def test_what_was_meant_as_it_is_stays(request_text: str, written: str) -> None:
    assert mend({"text": written}, request_text) == {"text": written}


def test_other_values_stay() -> None:
    assert mend({"count": 3, "flag": True, "list": ["a"]}, "3 a") == {"count": 3, "flag": True, "list": ["a"]}


def test_a_long_text_that_was_cut_is_taken_whole_from_the_request() -> None:
    document = json.dumps({"key": ["值" * 5] * 200}, ensure_ascii=False)
    cut = document[:CUT_LENGTH]
    assert mend({"text": cut}, f"format this\n\n<stdin>\n{document}\n</stdin>") == {"text": document}
