from __future__ import annotations

import json

from agentctl.providers.wire.structured import with_schema

SCHEMA = {"type": "object", "properties": {"名前": {"type": "string"}}, "required": ["名前"]}


def test_without_a_schema_the_prompt_stays_as_it_is() -> None:
    assert with_schema("You are kind.\n", None) == "You are kind.\n"


def test_the_schema_stands_last_and_whole_behind_the_prompt() -> None:
    words = with_schema("You are kind.\n\n", SCHEMA)
    assert words.startswith("You are kind.\n\nAnswer with one JSON value")
    assert json.loads(words.rpartition("JSON Schema:\n")[2]) == SCHEMA
    assert "名前" in words


def test_an_empty_prompt_leaves_no_blank_lines_in_front() -> None:
    assert with_schema(" \n", SCHEMA).startswith("Answer with one JSON value")


def test_braces_in_prompt_and_schema_are_plain_text() -> None:
    words = with_schema("Use {schema} and {0}.", {"enum": ["{x}", "{schema}"]})
    assert words.startswith("Use {schema} and {0}.")
    assert words.endswith('{"enum":["{x}","{schema}"]}')
