"""A call as a person sees it who decides on it: whole, and with nothing hidden."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.render.pages import lay_out


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        ({}, ["  (no arguments)"]),
        ({"a": 1, "b": "x"}, ["  a = 1", '  b = "x"']),
        ({"a": "1\n2\n"}, ['  a = "1\\n', '  | 2\\n"']),
        ({"a": "1\\n2"}, ['  a = "1\\\\n2"']),
        ({"a": "\n"}, ['  a = "\\n"']),
        ({"a": "\\\n|"}, ['  a = "\\\\\\n', '  | |"']),
        ({"a": ["1\n2"]}, ['  a = ["1\\n2"]']),
        ({"a": "\x1b[2K\u202e\u200b\u3164\r"}, ['  a = "\\u001b[2K\\u202e\\u200b\\u3164\\r"']),
        ({"a": "日本👩"}, ['  a = "日本👩"']),
    ],
)
def test_arguments_are_laid_out_whole(arguments: dict[str, Any], rows: list[str]) -> None:
    assert lay_out(arguments, 80) == rows


def test_a_long_row_goes_on_below() -> None:
    assert lay_out({"a": "x" * 40}, 30) == [f'  a = "{"x" * 23}', f'  | {"x" * 17}"']


def test_a_wide_character_takes_two_cells() -> None:
    assert lay_out({"a": "日" * 12}, 20) == [f'  a = "{"日" * 6}', f'  | {"日" * 6}"']
