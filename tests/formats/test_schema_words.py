from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from agentctl.errors import NotFound, UsageError
from agentctl.formats.json_schema import find_schema_fault
from agentctl.formats.schema_words import read_schema, words_to_schema

FIELDS: dict[str, dict[str, Any]] = {
    "name": {"type": "string"},
    "name str": {"type": "string"},
    "age int": {"type": "integer"},
    "score float": {"type": "number"},
    "score Number": {"type": "number"},
    "ok bool": {"type": "boolean"},
    "tags list": {"type": "array", "items": {"type": "string"}},
    "tags list[int]": {"type": "array", "items": {"type": "integer"}},
    "rows list[ list[float] ]": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
    "kind a|b| c d": {"type": "string", "enum": ["a", "b", "c d"]},
    "kinds list[a|b]": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
    "name: the full name": {"type": "string", "description": "the full name"},
    "age int : in years: whole ones": {"type": "integer", "description": "in years: whole ones"},
    "名前": {"type": "string"},
    "first-name": {"type": "string"},
}
MISTAKES = {
    "": "column 1: a field is missing here",
    "name,, age": "column 6: a field is missing here",
    "name,": "column 6: a field is missing here",
    "name, age itn": 'column 11: "itn" is no type (did you mean "int"?)',
    "name, age  zzz": 'column 12: "zzz" is no type: there are string, int, number, bool, list, list[int]'
    " and a|b|c",
    "tags list[foo]": 'column 11: "foo" is no type: there are string, int, number, bool, list, list[int]'
    " and a|b|c",
    "a, tags list[int, b": "column 13: this [ is never closed",
    "a, b, a int": 'column 7: the field "a" stands there twice',
    "1st": 'column 1: a field starts with its name, and "1st" is none',
    "[1]": 'column 1: a field starts with its name, and "[1]" is none',
    "na!me": 'column 3: "!" may not stand in a name',
    "kind a||b": 'column 6: there is a choice missing in "a||b"',
    "kind a|a": 'column 6: "a|a" has the same choice twice',
}


@pytest.mark.parametrize("words", FIELDS)
def test_a_field_in_words_becomes_its_schema(words: str) -> None:
    schema = words_to_schema(words)
    (name,) = schema["properties"]
    assert schema == {
        "type": "object",
        "properties": {name: FIELDS[words]},
        "required": [name],
        "additionalProperties": False,
    }
    assert find_schema_fault(schema) is None


def test_fields_keep_their_order_and_only_those_with_a_question_mark_may_be_missing() -> None:
    schema = words_to_schema("name, email?, age? int: in years,\ntags list\n")
    assert list(schema["properties"]) == ["name", "email", "age", "tags"]
    assert schema["required"] == ["name", "tags"]
    assert schema["properties"]["age"] == {"type": "integer", "description": "in years"}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_in_words_is_told_with_its_column(words: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read_schema(words, str(tmp_path))
    assert caught.value.message == f"--schema, {MISTAKES[words]}"
    assert "age int" in str(caught.value.hint)


def test_text_that_starts_with_a_brace_is_a_schema(tmp_path: Path) -> None:
    assert read_schema(' {"type": "array"}', str(tmp_path)) == {"type": "array"}


def test_a_file_is_read_whether_its_suffix_or_its_presence_tells(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"名": {"type": "string"}}}
    (tmp_path / "answer.json").write_text(json.dumps(schema))
    (tmp_path / "answer.yaml").write_text("type: object\nproperties:\n  名: {type: string}\n")
    (tmp_path / "answer").write_text("\ufeff" + json.dumps(schema, ensure_ascii=False), encoding="utf-8")
    for name in ("answer.json", "answer.yaml", "answer", str(tmp_path / "answer.json")):
        assert read_schema(name, str(tmp_path)) == schema
    with pytest.raises(NotFound, match=r"gone\.json"):
        read_schema("gone.json", str(tmp_path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"type": }', "s.json:1:10: this is no JSON: Expecting value"),
        ('{\n "a": 1,\n "a": 2}', 's.json: the key "a" stands there twice in one object'),
        ("[1]", "s.json: a JSON Schema is an object, not [1]"),
        ('{"type": 7}', "s.json is no JSON Schema: $.type: fits none of 2 forms"),
        ("[" * 50_000, "s.json: nested too deeply"),
        ("\xff", "s.json:1:1: not UTF-8"),
        ('{"x": "' + "x" * 300_000 + '"}', "s.json: larger than 256,000 bytes"),
    ],
    ids=range(7),
)
def test_a_file_that_holds_no_schema_is_refused_with_the_place(
    tmp_path: Path, content: str, message: str
) -> None:
    (tmp_path / "s.json").write_text(content, encoding="latin-1")
    with pytest.raises(UsageError) as caught:
        read_schema("s.json", str(tmp_path))
    assert caught.value.message.startswith(message)


def test_mistakes_in_yaml_are_told_with_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("type: object\ntype: array\n")
    with pytest.raises(UsageError, match=r"s\.yaml:2:1: "):
        read_schema("s.yaml", str(tmp_path))


def test_words_that_can_be_no_name_of_a_file_are_words(tmp_path: Path) -> None:
    assert read_schema("x" * 10_000, str(tmp_path))["required"] == ["x" * 10_000]
    for given in ("a\0b", "../.."):
        with pytest.raises(UsageError, match="column"):
            read_schema(given, str(tmp_path))


def test_a_schema_comes_from_a_pipe_that_the_shell_made_of_a_command(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    try:
        os.write(writing, b'{"type": "array"}')
    finally:
        os.close(writing)
    with open(reading, "rb"):
        assert read_schema(f"/dev/fd/{reading}", str(tmp_path)) == {"type": "array"}
