"""The schema that ships is what runs really print."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from agentctl.documents import faults  # noqa: F401 - its errors have kinds too
from agentctl.domain.outcome import OUTCOMES
from agentctl.errors import AgentctlError
from agentctl.providers.base import Finish
from tests.conftest import Outcome

Run = Callable[..., Outcome]
Script = Callable[..., str]

SCHEMA: dict[str, Any] = json.loads((files("agentctl.render") / "events.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)
CALL = {"name": "calculator", "arguments": {"expression": "1+1"}}
BROKEN = {"name": "calculator", "arguments": "{broken"}


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    ("replies", "code", "flags"),
    [
        ([{"text": "hi"}], 0, ""),
        ([{"reasoning": "hm", "text": "a", "tool_calls": [CALL, BROKEN]}, {"text": "b"}], 0, ""),
        ([{"text": "a", "tool_calls": [CALL]}], 8, "--max-steps 1"),
        ([{"text": "half", "error": {"status": 503, "message": "x"}}], 75, ""),
        ([{"text": ""}], 9, ""),
        ([{"text": "no", "finish": "refusal"}], 14, ""),
    ],
)
def test_every_line_of_a_run_holds_the_schema(
    run: Run, script: Script, replies: list[Any], code: int, flags: str
) -> None:
    outcome = run(f"chat 'a b' {flags} -o stream-json -m {script(*replies)}", code=code)
    for line in outcome.stdout.splitlines():
        VALIDATOR.validate(json.loads(line))


def test_failures_before_a_run_hold_it_too(run: Run) -> None:
    VALIDATOR.validate(run("chat 'a b' -m nope/x -o json", code=6).json())
    VALIDATOR.validate(run("chat --bogus -o json", code=2).json())


def test_the_closed_lists_are_those_of_the_code() -> None:
    result = SCHEMA["$defs"]["result"]["properties"]
    assert result["outcome"]["enum"] == sorted(OUTCOMES)
    kinds = {cls.kind for cls in walk(AgentctlError)}
    assert result["error"]["oneOf"][1]["properties"]["kind"]["enum"] == sorted(kinds)
    assert set(SCHEMA["$defs"]["message"]["properties"]["finish"]["enum"]) == set(get_args(Finish))


def walk(cls: type[AgentctlError]) -> Iterator[type[AgentctlError]]:
    yield cls
    for subclass in cls.__subclasses__():
        yield from walk(subclass)
