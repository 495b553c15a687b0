from __future__ import annotations

import base64
import html
from urllib.parse import quote_plus

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


ODD = "sk-Ab/c+d=ef&<gh>'0123 456789"


@pytest.mark.parametrize(
    "text",
    [
        html.escape(ODD),
        html.escape(ODD, quote=False),
        quote_plus(ODD),
        quote_plus(ODD).lower().replace("ab", "Ab"),
        ODD.replace("/", "\\/"),
    ],
)
def test_other_spellings_of_a_key_are_blanked_whole(text: str) -> None:
    assert Blanks([ODD]).blank(f"a {text} b") == "a *** b"


@pytest.mark.parametrize("before", ["", "u", "me:", "user:", "a much longer name:"])
@pytest.mark.parametrize("after", ["", "x", "\n", "more"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_nothing_of_a_key_can_be_decoded_from_base64(before: str, after: str, encode: object) -> None:
    assert callable(encode)
    encoded = encode(f"{before}{ODD}{after}".encode()).decode()
    blanked = Blanks([ODD]).blank(encoded)
    assert "***" in blanked
    assert Blanks([ODD]).holds({"a": encoded})
    # Besides the neighbours at most two characters of each end share four letters with them.
    assert len(blanked) <= len(encode(f"{before}{after}".encode())) + 3 + 4


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer  ", "Basic ", "Token "])
def test_of_a_header_the_key_alone_is_blanked_as_well(scheme: str) -> None:
    assert Blanks([f"{scheme}{ODD}"]).blank(f"invalid token {ODD}") == "invalid token ***"
    assert Blanks([f"{scheme}{ODD}"]).blank(f"got {scheme}{ODD}") == "got ***"
