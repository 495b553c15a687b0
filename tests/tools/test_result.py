"""Results as JSON, and errors in words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentctl.tools.failure import ToolError
from agentctl.tools.result import LARGEST, encode, name_error


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def test_a_result_comes_back_as_it_was() -> None:
    data = {"名前": ["🌙", 1.5, None, True]}
    assert json.loads(encode(data)) == data


@pytest.mark.parametrize("data", [float("nan"), {1, 2}, "\ud800"])
def test_what_cannot_be_stored_is_no_result(data: Any) -> None:
    with pytest.raises(ToolError, match="a result that is no JSON"):
        encode(data)


def test_the_size_of_a_result_is_counted_in_bytes() -> None:
    assert len(encode("a" * (LARGEST - 2))) == LARGEST
    with pytest.raises(ToolError, match="larger than 20 MB"):
        encode("é" * (LARGEST // 2))


def test_an_error_without_words_is_named_by_its_class() -> None:
    assert name_error(Mute()) == "Mute"
    assert name_error(ValueError("no")) == "ValueError: no"
