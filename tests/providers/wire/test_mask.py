from __future__ import annotations

import base64
from urllib.parse import quote

import pytest

from agentctl.providers.wire.mask import Mask

KEY = "sk-proj-Ab3+dE/6gH9=kLmNoPqRsTuV"


@pytest.mark.parametrize(
    "echo",
    [
        KEY,
        f"Bearer {KEY}",
        quote(KEY, safe=""),
        quote(KEY),
        KEY.lower(),
        KEY.upper(),
        base64.b64encode(KEY.encode()).decode(),
        base64.b64encode(f"Bearer {KEY}".encode()).decode(),
        base64.b64encode(f"user:{KEY}\n".encode()).decode(),
        base64.urlsafe_b64encode(f"x{KEY}".encode()).decode(),
        KEY[:12],
        KEY[-12:],
        KEY[8:20],
        f"{KEY[:7]}...{KEY[-4:]}",
        f"starts with {KEY[:7]} and ends with {KEY[-4:]}",
        f"{KEY[:4]}{'*' * 20}{KEY[-4:]}",
        f"{KEY[:6]}xxxxxxxx{KEY[-3:]}",
        f"{KEY[:6]}…{KEY[-3:]}",
    ],
)
def test_no_piece_of_a_key_is_left(echo: str) -> None:
    text = Mask([f"Bearer {KEY}"]).hide(f"Incorrect API key ({echo}), sorry.", about_keys=True)
    assert text.startswith("Incorrect API key (")
    assert text.endswith("sorry.")
    pieces = [KEY[:4], KEY[-4:], *(KEY[start : start + 6] for start in range(len(KEY) - 5))]
    assert not [piece for piece in pieces if piece.lower() in text.lower()]
    coded = base64.b64encode(f"Bearer {KEY}".encode()).decode()
    assert coded[12:36] not in text


@pytest.mark.parametrize(
    "text",
    [
        "You exceeded your current quota, please check your plan and billing details.",
        "The model `gpt-9` does not exist or you do not have access to it.",
        "mine: HTTP 500: <h1>busy</h1>",
        "connection refused by http://127.0.0.1:8080/v1/chat/completions",
        "你的账户余额不足",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert Mask([f"Bearer {KEY}"]).hide(text, about_keys=True) == text


def test_a_word_that_stands_in_for_a_key_hides_only_itself() -> None:
    mask = Mask(["Bearer ollama"])
    assert mask.hide("no model ollama3; key ollama is fine") == "no model ollama3; key *** is fine"


def test_the_words_of_a_scheme_are_no_secret() -> None:
    mask = Mask(["Basic dXNlcjpwYXNzd29yZA=="])
    assert mask.hide("Basic auth is off: dXNlcjpwYXNzd29yZA==") == "Basic auth is off: ***"


def test_no_secrets_hide_nothing() -> None:
    assert Mask(["", " "]).hide("nothing to hide") == "nothing to hide"
