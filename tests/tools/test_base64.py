"""Base64, both ways."""

from __future__ import annotations

import base64
import random
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("text", "encoded"), [("hello", "aGVsbG8="), ("", ""), ("时区", "5pe25Yy6"), ("🎉", "8J+OiQ==")]
)
def test_text_goes_there_and_back(call: Any, text: str, encoded: str) -> None:
    assert call("base64", action="encode", text=text).data == {"text": encoded}
    assert call("base64", action="decode", text=encoded).data == {"text": text}


def test_the_url_safe_alphabet(call: Any) -> None:
    assert call("base64", action="encode", text="🎉??>", url_safe=True).data == {"text": "8J-OiT8_Pg=="}
    assert call("base64", action="decode", text="8J-OiT8_Pg", url_safe=True).data == {"text": "🎉??>"}


def test_any_bytes_are_decoded(call: Any) -> None:
    chance = random.Random(1)
    for length in range(1, 60):
        data = bytes([0xFF]) + chance.randbytes(length)
        got = call("base64", action="decode", text=base64.b64encode(data).decode()).data
        assert got == {"binary": True, "bytes": length + 1, "hex": data.hex()}


def test_long_binary_data_is_shown_by_its_start(call: Any) -> None:
    got = call("base64", action="decode", text=base64.b64encode(b"\xff" * 10_000).decode()).data
    assert got == {"binary": True, "bytes": 10_000, "hex": "ff" * 256}


def test_line_breaks_and_missing_padding_are_no_fault(call: Any) -> None:
    assert call("base64", action="decode", text=" aGVs\nbG8 ").data == {"text": "hello"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": "aGVs*bG8="}, 'not Base64: "*" at character 5'),
        ({"text": "aGVsb"}, "not Base64: 5 characters cannot be; it is cut short"),
        ({"text": "aG=VsbG8="}, 'not Base64: "=" at character 3'),
        (
            {"text": "8J-OiQ=="},
            'not Base64: "-" at character 3; this looks like URL-safe Base64, set url_safe to true',
        ),
        (
            {"text": "8J+OiQ==", "url_safe": True},
            'not Base64: "+" at character 3; this looks like standard Base64, set url_safe to false',
        ),
        ({"text": "x" * 1_000_001}, "wrong arguments: text: must have at most 1,000,000 characters"),
    ],
)
def test_what_is_no_base64_is_named(call: Any, arguments: dict[str, Any], message: str) -> None:
    assert call("base64", action="decode", **arguments).error.startswith(message)
