from __future__ import annotations

import pytest

from agentctl.domain.blanks import Blanks

KEY = 'sk-"quoted"/0123'


@pytest.mark.parametrize(
    "text", [KEY, f"a {KEY} b {KEY}", 'in JSON: sk-\\"quoted\\"/0123', "in a URL: sk-%22quoted%22%2F0123"]
)
def test_a_key_is_blanked_in_every_form(text: str) -> None:
    blanked = Blanks([KEY]).blank({"deep": [text], text: 1})
    assert "quoted" not in str(blanked)
    assert "***" in str(blanked)


@pytest.mark.parametrize("short", ["", "none", "x" * 15])
def test_what_is_shorter_than_a_key_stays(short: str) -> None:
    assert Blanks([short]).blank(f"{short} of it") == f"{short} of it"
    assert not Blanks([short]).holds(short)


@pytest.mark.parametrize("value", [KEY, {"a": [1, {"b": f"x{KEY}"}]}, {KEY: 1}, (KEY,)])
def test_a_key_is_found_wherever_it_stands(value: object) -> None:
    assert Blanks([KEY]).holds(value)
    assert not Blanks([KEY]).holds({"a": [1, "b", None, ("c",)]})


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 100])
def test_a_key_is_blanked_wherever_it_is_cut(size: int) -> None:
    data = f"before {KEY} between {KEY}{KEY} after 晴れ".encode()
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    blanked = Blanks([KEY]).blank_pieces(pieces)
    assert len(blanked) == len(pieces)
    assert b"".join(blanked).decode() == "before *** between ****** after 晴れ"


def test_pieces_without_a_key_are_what_they_were() -> None:
    assert Blanks([KEY]).blank_pieces([b"\xe6", b"\x99\xb4", b""]) == [b"\xe6", b"\x99\xb4", b""]
