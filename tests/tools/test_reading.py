"""What a model reads of a result is bounded and honest about what it leaves out."""

from __future__ import annotations

import pytest

from agentctl.domain.tool import ToolResult
from agentctl.tools.reading import cut_middle, model_text


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (ToolResult(True, data={"expression": "1+1", "result": "2"}), '{"expression": "1+1", "result": "2"}'),
        (ToolResult(True, data={"text": '{\n  "a": 1\n}'}), '{\n  "a": 1\n}'),
        (ToolResult(True, data="plain"), "plain"),
        (ToolResult(True, data={"text": 1}), '{"text": 1}'),
        (ToolResult(True, data=None), "null"),
        (ToolResult(True, data=["时区", "🎉"]), '["时区", "🎉"]'),
        (ToolResult(False, error="division by zero"), "Error: division by zero"),
    ],
)
def test_a_result_reads_as_text(result: ToolResult, text: str) -> None:
    assert model_text(result, 1000) == text


def test_a_long_result_loses_its_middle_and_says_how_much() -> None:
    text = model_text(ToolResult(True, data="a" * 5000 + "b" * 5000), 1000)
    assert len(text) <= 1000
    assert text.startswith("aaa")
    assert text.endswith("bbb")
    head, note, tail = text.split("\n")
    left_out = 10_000 - len(head) - len(tail)
    assert note == f"[... {left_out:,} characters left out ...]"


@pytest.mark.parametrize("length", [99, 100, 101, 102, 150, 151, 1000])
def test_the_limit_is_kept_at_every_length(length: int) -> None:
    text = cut_middle("x" * length, 100)
    assert len(text) <= 100
    assert (text == "x" * length) == (length <= 100)


def test_a_limit_below_the_note_leaves_the_note() -> None:
    assert cut_middle("x" * 1000, 5) == "\n[... 1,000 characters left out ...]\n"


@pytest.mark.parametrize("limit", range(100, 110))
def test_no_cut_parts_a_surrogate_pair(limit: int) -> None:
    text = model_text(ToolResult(True, data="\ud83d\ude00" * 500), limit)
    text.encode()
    assert "\ufffd" not in text
    assert text.startswith("😀")


def test_half_a_surrogate_pair_becomes_the_replacement_character() -> None:
    assert model_text(ToolResult(True, data="a\ud83db"), 100) == "a\ufffdb"
