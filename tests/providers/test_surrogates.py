from __future__ import annotations

import pytest

from agentctl.domain.surrogates import SurrogateMender, mend


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("plain", "plain"),
        ("你好 🌍", "你好 🌍"),
        ("\ud83d\ude00", "😀"),
        ("a\ud83d b", "a\ufffd b"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ud83d\ude00", "\ufffd😀"),
        ("🌍\ud83d", "🌍\ufffd"),
    ],
)
def test_pairs_are_joined_and_halves_replaced(text: str, mended: str) -> None:
    assert mend(text) == mended
    mender = SurrogateMender()
    assert "".join(map(mender.feed, text)) + mender.close() == mended


def test_only_a_half_is_held_back() -> None:
    mender = SurrogateMender()
    assert mender.feed("ab\ud83d") == "ab"
    assert mender.feed("") == ""
    assert mender.feed("c") == "\ufffdc"
    assert mender.close() == ""
