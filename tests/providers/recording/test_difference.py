from __future__ import annotations

from typing import Any

import pytest

from agentctl.errors import ProviderError
from agentctl.providers.recording.difference import compare


def diff(recorded: Any, sent: Any) -> str:
    with pytest.raises(ProviderError, match="request 1 is not what was recorded") as caught:
        compare(recorded, sent, "request 1")
    assert caught.value.hint
    return caught.value.hint


def test_the_order_of_keys_is_no_difference() -> None:
    compare({"a": 1, "b": [1, 2]}, {"b": [1, 2], "a": 1}, "request 1")


def test_ids_of_ours_are_compared_by_where_they_stand() -> None:
    first, second = "ac_mx3s08n9_kc15gqy3", "ac_mx3s08n9_b8pav471"
    compare([first, second, first], [second, first, second], "request 1")
    diff([first, second, first], [first, second, second])


def test_a_changed_line_of_a_long_prompt_is_what_is_shown() -> None:
    lines = [f"Rule {number} is to be kept." for number in range(500)]
    changed = [*lines[:250], "Rule 250 may be broken.", *lines[251:]]
    shown = diff({"system": "\n".join(lines)}, {"system": "\n".join(changed)})
    assert "-Rule 250 is to be kept." in shown
    assert "+Rule 250 may be broken." in shown
    assert "Rule 252" in shown
    assert "Rule 260" not in shown


def test_a_difference_deep_in_one_long_line_is_seen() -> None:
    shown = diff({"data": "A" * 100_000 + "x"}, {"data": "A" * 100_000 + "y"})
    assert "Ax" in shown
    assert "Ay" in shown
    assert len(shown) < 2_000


def test_what_is_wholly_different_is_bounded() -> None:
    many = [str(number) for number in range(100_000)]
    shown = diff(many, [f"{number}!" for number in many])
    assert len(shown.splitlines()) < 60
    assert shown.endswith("...")


def test_control_characters_do_not_reach_a_terminal() -> None:
    assert "\x9b" not in diff({"text": "a"}, {"text": "\x9b31m"})
