from __future__ import annotations

import json
from typing import Any

import pytest

from agentctl.providers.openai_chat.lenient import LenientText, find_calls

CALL = '{"name": "get", "arguments": {"x": 1}}'


def read(text: str, size: int = 1000) -> tuple[str, list[Any]]:
    lenient = LenientText({"get", "put"})
    shown = "".join(lenient.feed(text[i : i + size]) for i in range(0, len(text), size))
    rest, calls = lenient.close()
    found = [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in calls]
    return shown + rest, found


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"\n  {CALL}\n",
        f"```json\n{CALL}\n```",
        f"```\n{CALL}```\n",
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"[{CALL}]",
        '{"name": "get", "parameters": {"x": 1}}',
        '{"type": "function", "function": {"name": "get", "arguments": "{\\"x\\": 1}"}}',
    ],
)
def test_a_call_is_read_in_every_dress(text: str, size: int) -> None:
    assert read(text, size) == ("", [("get", {"x": 1})])


def test_several_calls_are_all_read() -> None:
    other = CALL.replace("get", "put")
    for text in (
        f"{CALL}\n{other}",
        f"[{CALL}, {other}]",
        f"<tool_call>{CALL}</tool_call><tool_call>{other}</tool_call>",
    ):
        assert [name for name, _ in read(text)[1]] == ["get", "put"]


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "Hello",
        "",
        f"Here it is: {CALL}",
        f"{CALL} I hope this helps",
        '{"name": "unknown", "arguments": {}}',
        '{"name": "get"}',
        '{"answer": 42}',
        "[]",
        "```python\nprint(1)\n```",
        '{"name": "get", "arg',
        f"[{CALL}, 1]",
    ],
)
def test_anything_else_stays_text(text: str, size: int) -> None:
    assert read(text, size) == (text, [])


def test_ordinary_text_is_not_held_back() -> None:
    lenient = LenientText({"get"})
    assert lenient.feed("H") == "H"
    assert lenient.feed("i {") == "i {"


def test_code_in_another_language_is_let_through_at_once() -> None:
    lenient = LenientText({"get"})
    assert "".join(map(lenient.feed, "```python\nx")) == "```python\nx"


def test_without_calls_nothing_is_found() -> None:
    assert find_calls(" ", {"get"}) == []
