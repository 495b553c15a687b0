from __future__ import annotations

import json

from agentctl.providers.base import ToolSchema
from agentctl.providers.local.route import (
    CUT_LENGTH,
    Choice,
    build_prefix,
    build_request,
    build_schema,
    read_choice,
)

CALCULATOR = ToolSchema(
    "calculator",
    "Computes. Long explanation.",
    {
        "type": "object",
        "properties": {"expression": {"type": "string", "maxLength": 10_000, "description": "What."}},
        "required": ["expression"],
    },
)
NOTES = ToolSchema(
    "notes",
    "Keeps notes",
    {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "pattern": "^x*$"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "kind": {"type": "string", "enum": ["short", "long"]},
        },
    },
)
TOOLS = (CALCULATOR, NOTES)


def test_every_tool_is_named_with_its_arguments() -> None:
    system = build_prefix(TOOLS)[0]["content"]
    assert "- calculator(expression): Computes." in system
    assert "- notes(pattern?, tags?, kind?: short|long): Keeps notes." in system
    assert "- none:" in system


def test_examples_are_shown_only_for_tools_that_are_there_and_take_them() -> None:
    told = json.dumps(build_prefix((NOTES,)))
    assert "12*9" not in told
    other = ToolSchema("calculator", "Adds", {"type": "object", "properties": {"a": {"type": "number"}}})
    assert "12*9" not in json.dumps(build_prefix((other,)))
    assert "12*9" in json.dumps(build_prefix(TOOLS))


def test_the_prefix_depends_on_the_tools_alone() -> None:
    assert build_prefix(TOOLS) == build_prefix(TOOLS)
    assert build_prefix(TOOLS) != build_prefix((CALCULATOR,))


def test_every_text_of_the_schema_is_bounded_and_names_of_arguments_stay() -> None:
    none, calculator, notes = build_schema(TOOLS)["anyOf"]
    assert none["properties"] == {"tool": {"const": "none"}}
    assert calculator["properties"]["arguments"]["properties"] == {
        "expression": {"type": "string", "maxLength": CUT_LENGTH}
    }
    arguments = notes["properties"]["arguments"]["properties"]
    assert arguments["pattern"] == {"type": "string", "maxLength": CUT_LENGTH}
    assert arguments["tags"]["items"] == {"type": "string", "maxLength": CUT_LENGTH}
    assert arguments["kind"] == {"type": "string", "enum": ["short", "long"]}


def test_a_choice_is_read() -> None:
    answer = '{"tool": "calculator", "arguments": {"expression": "1+1"}}'
    assert read_choice(answer, TOOLS, "1+1?") == Choice("calculator", {"expression": "1+1"})


def test_what_is_no_whole_choice_is_no_tool() -> None:
    for answer in (
        '{"tool": "none"}',
        '{"tool": "unknown", "arguments": {}}',
        '{"tool": "calculator"}',
        '{"tool": "calculator", "arguments": {"expression": "1+',
        "[]",
        "",
    ):
        assert read_choice(answer, TOOLS, "1+1?") is None, answer


def test_earlier_choices_stand_before_a_request_that_is_not_too_long() -> None:
    messages = build_request("x" * 100_000, [("2*3?", Choice("calculator", {"expression": "2*3"}))])
    assert messages[0] == {"role": "user", "content": "2*3?"}
    assert '"2*3"' in messages[1]["content"]
    assert len(messages[2]["content"]) < 2000
