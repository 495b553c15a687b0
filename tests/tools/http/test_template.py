"""Arguments stay in their places, whatever they hold."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from agentctl.tools.base import ToolError
from agentctl.tools.http.template import LEFT_OUT, fill, fill_url

NASTY = [
    "a/b",
    "?x=1",
    "#top",
    "&admin=1",
    "a b\n\r\tc",
    "@evil.example",
    "https://evil.example/",
    "//evil.example",
    "\\\\evil",
    "100%",
    "%2F%23",
    "北京 東京 🦊",
    "a=b;c",
    "{other}",
    "...",
    ".hidden",
]


@pytest.mark.parametrize("text", NASTY)
def test_a_value_changes_nothing_but_its_place(text: str) -> None:
    url = fill_url("https://api.example/v1/{a}/items?q={a}&n=1", {"a": text})
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "api.example", "")
    assert len(parts.path.split("/")) == 4
    assert parse_qs(parts.query) == {"q": [text], "n": ["1"]}


@pytest.mark.parametrize(
    "text",
    ["..", ".", "", "../x", "x/../y", "%2e%2e", "%2E.", "..\\x", "..;", "x/..;a/y", "%252e%252e", "a\0b"],
)
def test_a_value_that_would_climb_in_the_path_is_refused(text: str) -> None:
    with pytest.raises(ToolError, match="a:"):
        fill_url("https://api.example/users/{a}", {"a": text})


def test_in_a_query_dots_and_nothing_are_ordinary() -> None:
    assert fill_url("https://api.example/?q={a}", {"a": ".."}) == "https://api.example/?q=.."
    assert fill_url("https://api.example/?q={a}", {"a": ""}) == "https://api.example/?q="


def test_other_types_stand_as_json_would_have_them() -> None:
    given = {"n": 3, "x": 2.0, "y": 0.5, "b": True, "l": ["a", "b"]}
    assert fill_url("https://h/?{n}&{x}&{y}&{b}&{l}", given) == "https://h/?3&2&0.5&true&a%2Cb"


def test_a_whole_text_becomes_the_argument_with_its_type_and_others_stay_text() -> None:
    template = {
        "n": "{n}",
        "t": "n is {n}",
        "l": ["{n}", "{gone}", 1],
        "gone": "{gone}",
        "as": "{{n}}",
        "x": None,
    }
    assert fill(template, {"n": 3}) == {"n": 3, "t": "n is 3", "l": [3, 1], "as": "{n}", "x": None}
    assert fill("{gone}", {}) is LEFT_OUT


def test_other_braces_mean_themselves() -> None:
    query = "query { user(id: 1) { name, {{ }} } }"
    assert fill(query, {}) == query


def test_a_value_is_not_filled_again() -> None:
    assert fill("{a} {b}", {"a": "{b}", "b": "2"}) == "{b} 2"
