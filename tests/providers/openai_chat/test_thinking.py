from __future__ import annotations

import pytest

from agentctl.providers.openai_chat.thinking import ThinkSplitter


def split(text: str, size: int = 1000) -> tuple[str, str]:
    """Reasoning and text of what arrives in pieces of `size`."""
    splitter = ThinkSplitter()
    parts = [part for i in range(0, len(text), size) for part in splitter.feed(text[i : i + size])]
    parts += splitter.close()
    assert all(words for _, words in parts)
    return tuple(
        "".join(words for kind, words in parts if kind == wanted) for wanted in ("reasoning", "text")
    )  # type: ignore[return-value]


CASES = [
    ("<think>plan</think>Hello", ("plan", "Hello")),
    ("<think>\nplan\nmore\n</think>\n\nHello world\n", ("plan\nmore", "Hello world\n")),
    ("plan\n</think>\n\nHello world", ("plan", "Hello world")),
    ("<think></think>Hello", ("", "Hello")),
    ("<think>\n\n</think>\n\nHello", ("", "Hello")),
    ("Hello", ("", "Hello")),
    ("", ("", "")),
    ("a < b, a <thin air", ("", "a < b, a <thin air")),
    ("x</think>if a <b and c</d", ("x", "if a <b and c</d")),
    ("<think>unfinished", ("unfinished", "")),
    ("<think>unfinished </thi", ("unfinished </thi", "")),
    ("Hello <think>hm</think> world", ("hm", "Hello world")),
    ("<think>a</think>b<think>c</think>d", ("ac", "bd")),
    ("思考</think>你好", ("思考", "你好")),
]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize(("text", "expected"), CASES)
def test_reasoning_and_text_are_told_apart_however_they_arrive(
    text: str, expected: tuple[str, str], size: int
) -> None:
    assert split(text, size) == expected


def test_text_streams_once_the_reasoning_is_over() -> None:
    splitter = ThinkSplitter()
    assert splitter.feed("<think>a") == [("reasoning", "a")]
    assert splitter.feed("</think>b") == [("text", "b")]
    assert splitter.feed(" c") == [("text", " c")]


def test_a_long_text_without_tags_takes_linear_time() -> None:
    assert split("x" * 300_000, 1) == ("", "x" * 300_000)
