"""JSON is formatted without being changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentctl.tools.json_formatter.tool import SMALL


def test_json_is_indented(call: Any) -> None:
    result = call("json-formatter", text='{"b":[1,2,{}],"a":"时区 🎉","c":[]}')
    assert result.data == {
        "text": '{\n  "b": [\n    1,\n    2,\n    {}\n  ],\n  "a": "时区 🎉",\n  "c": []\n}'
    }


def test_indent_and_order_can_be_chosen(call: Any) -> None:
    text = call("json-formatter", text='{"b":1,"a":{"d":1,"c":2}}', indent=4, sort_keys=True).data["text"]
    assert text == '{\n    "a": {\n        "c": 2,\n        "d": 1\n    },\n    "b": 1\n}'


def test_json_is_minified(call: Any) -> None:
    assert call("json-formatter", action="minify", text='{ "a" : [ 1 , "x y" ] }').data == {
        "text": '{"a":[1,"x y"]}'
    }


@pytest.mark.parametrize(
    "number", ["1.10", "1e400", "-0", "1E+5", "123456789012345678901234567890", "1" * 5000]
)
def test_numbers_keep_their_spelling(call: Any, number: str) -> None:
    assert call("json-formatter", action="minify", text=f"[{number}]").data == {"text": f"[{number}]"}


def test_duplicate_keys_are_kept_and_named(call: Any) -> None:
    result = call("json-formatter", action="minify", text='{"a":1,"b":{"c":1,"c":2},"a":3}')
    assert result.data == {"text": '{"a":1,"b":{"c":1,"c":2},"a":3}', "duplicate_keys": ["a", "c"]}


def test_half_a_surrogate_pair_stays_an_escape(call: Any) -> None:
    assert call("json-formatter", text='"\\ud800"').data == {"text": '"\\ud800"'}


@pytest.mark.parametrize("size", [10, SMALL, 100_000])
def test_small_and_large_texts_give_the_same_as_the_standard_library(call: Any, size: int) -> None:
    data = [{"id": place, "name": "ä" * 20, "ok": True, "none": None} for place in range(size // 50 + 1)]
    assert call("json-formatter", text=json.dumps(data)).data == {
        "text": json.dumps(data, indent=2, ensure_ascii=False)
    }


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ('{"a":1 "b":2}', "expecting ',' delimiter", 1, 8),
        ("{'a':1}", "property name", 1, 2),
        ('{"a":\n  }', "expecting value", 2, 3),
        ("[1 2]", "expecting ',' delimiter", 1, 4),
        ("[1]]", "extra data", 1, 4),
        ('["NaN",\n NaN]', "NaN is no JSON number", 2, 2),
        ("[-Infinity]", "-Infinity is no JSON number", 1, 2),
        ('"a\tb"', "invalid control character", 1, 3),
        (" " * 3000 + "x", "expecting value", 1, 3001),
    ],
)
def test_an_error_has_line_and_column(call: Any, text: str, message: str, line: int, column: int) -> None:
    error = call("json-formatter", text=text).error
    assert error.startswith("not valid JSON: ")
    assert message in error
    assert error.endswith(f"at line {line} column {column}")
    checked = call("json-formatter", action="validate", text=text)
    assert checked.success
    assert checked.data["valid"] is False
    assert (checked.data["line"], checked.data["column"]) == (line, column)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a":1}', {"type": "object", "keys": 1}),
        ("[1,2]", {"type": "array", "items": 2}),
        ("\ufeff 1.5", {"type": "number"}),
        ('"x"', {"type": "string"}),
        ("null", {"type": "null"}),
        ("true", {"type": "boolean"}),
        ('{"a":1,"a":2}', {"type": "object", "keys": 2, "duplicate_keys": ["a"]}),
    ],
)
def test_valid_json_is_described(call: Any, text: str, found: dict[str, Any]) -> None:
    assert call("json-formatter", action="validate", text=text).data == {"valid": True, **found}


@pytest.mark.parametrize("action", ["format", "minify", "validate"])
@pytest.mark.parametrize(
    "text", ["[" * 250 + "]" * 250, "[" * 500_000, '{"a":' * 150_000, "[" * 900 + "]" * 900]
)
def test_deep_nesting_ends_in_a_clear_error(call: Any, text: str, action: str) -> None:
    assert (
        call("json-formatter", text=text, action=action).error
        == "the JSON is nested more than 200 levels deep"
    )


def test_indentation_that_would_fill_the_memory_ends_in_a_clear_error(call: Any) -> None:
    text = "[" * 199 + ",".join(["1"] * 490_000) + "]" * 199
    error = call("json-formatter", text=text, indent=8).error
    assert "memory" in error or "took longer" in error
