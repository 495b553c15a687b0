from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from agentctl.domain.model import Model
from agentctl.errors import ConfigError
from agentctl.providers.base import ToolSchema
from agentctl.providers.openai_responses.body import build_body
from agentctl.providers.openai_responses.options import RESERVED, read_options
from tests.providers.asking import make_request
from tests.providers.openai_responses.histories import sealed, turn, user

TOOL = ToolSchema("get", "Gets it.", {"type": "object", "properties": {}})
STRICT = {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False}


def build(
    options: dict[str, Any] | None = None, refused: Collection[str] = (), **request: Any
) -> dict[str, Any]:
    return build_body(make_request(**request), read_options(options or {}), refused)


def test_a_plain_request_leaves_nothing_at_the_provider() -> None:
    assert build(system="Be brief.") == {
        "model": "m",
        "instructions": "Be brief.",
        "input": [{"type": "message", "role": "user", "content": "Hello?"}],
        "stream": True,
        "store": False,
    }
    assert "instructions" not in build(system=" \n")


def test_tools_are_functions_and_plain_text_has_none() -> None:
    assert build(tools=(TOOL,))["tools"] == [
        {
            "type": "function",
            "name": "get",
            "description": "Gets it.",
            "parameters": {"type": "object", "properties": {}},
            "strict": False,
        }
    ]
    plain = build(
        {"thinking_off": {"reasoning": {"effort": "none"}}}, tools=(TOOL,), thinking=True, purpose="text"
    )
    assert plain.keys().isdisjoint({"tools", "include"})
    assert plain["reasoning"] == {"effort": "none"}


def test_thinking_asks_for_a_summary_and_for_the_seal() -> None:
    body = build(thinking=True)
    assert (body["reasoning"], body["include"]) == ({"summary": "auto"}, ["reasoning.encrypted_content"])
    assert build({"thinking_effort": "high"}, thinking=True)["reasoning"] == {
        "effort": "high",
        "summary": "auto",
    }
    quiet = build({"thinking_effort": "high"})
    assert quiet.keys().isdisjoint({"reasoning", "include"})
    assert build({"thinking_off": {"reasoning": {"effort": "none"}}})["reasoning"] == {"effort": "none"}


def test_thinking_may_be_said_in_another_way() -> None:
    options = {"thinking_on": {"reasoning": {"max_tokens": "{budget}"}}, "thinking_budget": 2000}
    assert build(options, thinking=True)["reasoning"] == {"max_tokens": 2000}
    body = build({"thinking_on": {}}, thinking=True)
    assert "reasoning" not in body
    assert body["include"] == ["reasoning.encrypted_content"]


def test_reasoning_that_goes_back_stays_sealed_without_thinking_too() -> None:
    messages = (user("a"), turn("b", replay={"reasoning_items": [sealed()]}), user("c"))
    assert build(messages=messages)["include"] == ["reasoning.encrypted_content"]
    body = build(messages=messages, refused={"include"}, thinking=True)
    assert "include" not in body
    assert [item["type"] for item in body["input"]] == ["message"] * 3
    assert "include" not in build({"include": None}, messages=messages, thinking=True)


@pytest.mark.parametrize(
    ("options", "model_limit", "wanted", "limit"),
    [
        ({}, None, None, None),
        ({"max_tokens": 50}, None, None, 50),
        ({"max_output_tokens": 50}, None, None, 50),
        ({"max_tokens": 50, "max_output_tokens": 40}, None, None, 40),
        ({"max_tokens": 50}, 40, None, 40),
        ({"max_tokens": 50}, 60, 30, 30),
        ({"max_tokens": None}, 40, None, None),
        ({"max_tokens": None}, 40, 30, 30),
        ({"min_output_tokens": 16}, None, 3, 16),
        ({}, None, 3, 3),
    ],
)
def test_the_least_of_all_limits_is_sent_under_one_name(
    options: dict[str, Any], model_limit: int | None, wanted: int | None, limit: int | None
) -> None:
    model = Model("m", "mine", "m", max_output_tokens=model_limit)
    body = build(options, model=model, max_output=wanted)
    assert body.get("max_output_tokens") == limit
    assert "max_tokens" not in body


def test_a_schema_is_a_format_and_strict_where_it_can_be() -> None:
    form = build(schema=STRICT)["text"]["format"]
    assert form == {"type": "json_schema", "name": "answer", "schema": STRICT, "strict": True}
    assert build(schema={"type": "object"})["text"]["format"]["strict"] is False
    body = build({"text": {"verbosity": "low"}}, schema=STRICT)
    assert body["text"] == {"verbosity": "low", "format": form}


@pytest.mark.parametrize("refused", ["text", "text.format"])
def test_a_schema_that_is_no_parameter_becomes_words(refused: str) -> None:
    for body in (
        build(refused={refused}, schema=STRICT),
        build({"structured_output": "prompt"}, schema=STRICT),
    ):
        assert "text" not in body
        assert '"additionalProperties":false' in body["instructions"]
    kept = build({"text": {"verbosity": "low"}}, {"text.format"}, schema=STRICT)
    assert kept["text"] == {"verbosity": "low"}


def test_parameters_are_sent_as_they_are_and_null_takes_one_away() -> None:
    body = build({"temperature": 0, "service_tier": "flex", "store": None, "seed": None})
    assert (body["temperature"], body["service_tier"]) == (0, "flex")
    assert body.keys().isdisjoint({"store", "seed"})


def test_what_was_refused_is_not_sent_again() -> None:
    assert "temperature" not in build({"temperature": 1}, {"temperature"})
    body = build({"thinking_effort": "high"}, {"reasoning.summary"}, thinking=True)
    assert body["reasoning"] == {"effort": "high"}
    for refused in ({"reasoning"}, {"reasoning.summary"}):
        assert build(refused=refused, thinking=True).keys().isdisjoint({"reasoning", "include"})


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_what_a_request_is_made_of_cannot_be_an_option(name: str) -> None:
    with pytest.raises(ConfigError, match=f"option {name} cannot be set"):
        read_options({name: "x"})


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("min_output_tokens", 0),
        ("structured_output", "maybe"),
        ("thinking_budget", "much"),
        ("thinking_effort", 3),
        ("thinking_off", "x"),
        ("thinking_on", []),
    ],
)
def test_an_option_that_is_wrong_is_named(option: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"option {option}: write "):
        read_options({option: value})


def test_what_a_known_model_keeps_to_by_itself_is_not_sent() -> None:
    model = Model("m", "mine", "m", max_output_tokens=100, assumed=frozenset({"max_output_tokens"}))
    assert "max_output_tokens" not in build({}, model=model, max_output=100)
    assert build({}, model=model, max_output=60)["max_output_tokens"] == 60
