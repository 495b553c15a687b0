from __future__ import annotations

import pytest

from agentctl.providers.wire.call_ids import CallIds


@pytest.mark.parametrize("odd", ["read:0", "", "x" * 65, "電話", "a b", "a\n", "\ud800"])
def test_plain_ids_hold_nothing_but_letters_digits_and_two_marks(odd: str) -> None:
    first, again = CallIds(plain=True).assign(odd), CallIds(plain=True).assign(odd)
    assert first == again
    assert first.isascii()
    assert first.replace("_", "").isalnum()
    assert len(first) <= 64


def test_plain_ids_that_are_right_stay_and_repeated_ones_get_a_number() -> None:
    ids = CallIds(plain=True)
    assert [ids.assign("ac_1-B"), ids.assign("ac_1-B"), ids.assign("x" * 64)] == [
        "ac_1-B",
        "ac_1-B_2",
        "x" * 64,
    ]
    longest = [ids.assign("x" * 64) for _ in range(3)]
    assert len({*longest, "x" * 64}) == 4
    assert all(len(one) <= 64 for one in longest)
