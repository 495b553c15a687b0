"""Control sequences: gone from a terminal, however they are cut; spelt out where nothing may hide."""

from __future__ import annotations

import pytest

from agentctl.render.controls import ControlFilter, show_controls, strip_controls

CASES = [
    ("plain text\twith\nlines", "plain text\twith\nlines"),
    ("\x1b[31mred\x1b[0m", "red"),
    ("\x1b]0;a title\x07after", "after"),
    ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
    ("\x9b31mred", "red"),
    ("\x9d0;title\x9cafter", "after"),
    ("\x1bPq#0;payload\x1b\\after", "after"),
    ("\x1b(Btext\x1bc", "text"),
    ("bell\x07 back\x08 null\x00", "bell back null"),
    ("over\rwritten", "overwritten"),
    ("windows\r\nlines", "windows\nlines"),
    ("\u202eright to left\u2066", "right to left"),
    ("你好 🌍 é 👨‍👩‍👧", "你好 🌍 é 👨‍👩‍👧"),
]


@pytest.mark.parametrize(("text", "shown"), CASES)
def test_a_terminal_gets_the_text_alone(text: str, shown: str) -> None:
    assert strip_controls(text) == shown


@pytest.mark.parametrize(("text", "shown"), CASES)
def test_a_sequence_cut_anywhere_is_still_stripped(text: str, shown: str) -> None:
    for cut in range(len(text) + 1):
        stream = ControlFilter()
        assert stream.feed(text[:cut]) + stream.feed(text[cut:]) + stream.end() == shown, cut


def test_a_sequence_that_never_ends_does_not_swallow_the_answer() -> None:
    stream = ControlFilter()
    shown = stream.feed("\x1b]0;" + "x" * 10_000) + stream.feed(" the answer") + stream.end()
    assert "the answer" in shown


def test_nothing_can_hide_in_a_question() -> None:
    assert show_controls("a\x1b[2K\u202eb\u200bc\n") == "a\\u001b[2K\\u202eb\\u200bc\\u000a"
    assert show_controls("你好 🌍") == "你好 🌍"
