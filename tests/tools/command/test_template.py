"""Templates are checked when they are declared, and filled word by word."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.domain.tool import Tool
from agentctl.errors import ConfigError
from agentctl.tools.base import Services
from agentctl.tools.command.template import fill, parse_words
from agentctl.tools.ready import make_ready

TEXT: dict[str, Any] = {"a": {}}
LIST: dict[str, Any] = {"a": {"type": "array"}}
SWITCH: dict[str, Any] = {"a": {"type": "boolean"}}


@pytest.mark.parametrize(
    ("argv", "values", "words"),
    [
        (["p", "{a}", "end"], {}, ["p", "end"]),
        (["p", "--a={a}", "end"], {}, ["p", "end"]),
        (["p", "{a}"], {"a": ""}, ["p", ""]),
        (["p", "x{a}y{b}"], {"a": "1", "b": "2"}, ["p", "x1y2"]),
        (["p", "{{a}}", "HEAD@{{1}}"], {"a": "no"}, ["p", "{a}", "HEAD@{1}"]),
        (["p", "{a...}"], {"a": ["1", "two words", ""]}, ["p", "1", "two words", ""]),
        (["p", "{a...}"], {"a": []}, ["p"]),
        (["p", "{a?--stat}", "x"], {"a": True}, ["p", "--stat", "x"]),
        (["p", "{a?--stat}", "x"], {"a": False}, ["p", "x"]),
        (["p", "{a?--stat}", "x"], {}, ["p", "x"]),
        (["p", "{a}", "{b}"], {"a": True, "b": 5.0}, ["p", "true", "5"]),
        (["p", "{a}"], {"a": "{b}"}, ["p", "{b}"]),
    ],
)
def test_places_become_words(argv: list[str], values: dict[str, Any], words: list[str]) -> None:
    assert fill(parse_words(argv)[0], values, frozenset()) == words


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"argv": ["{a}"], "arguments": TEXT}, "argv: word 1: the program itself cannot vary"),
        ({"argv": [""]}, "argv: word 1: the program has no name"),
        ({"argv": ["bin/x"]}, "argv: word 1: write the program's name"),
        ({"argv": ["p", "{b}"], "arguments": TEXT}, 'argv: word 2: there is no argument "b"'),
        ({"argv": ["p", "{0}"]}, 'word 2: a brace that belongs to the text is written "{{"'),
        ({"argv": ["p", "a}"]}, 'word 2: a brace that belongs to the text is written "}}"'),
        ({"argv": ["p", "x\0"]}, "word 2 holds a NUL character"),
        ({"argv": ["p", "{a}"], "arguments": LIST}, "a is of type array: write {a...}"),
        ({"argv": ["p", "{a...}"], "arguments": TEXT}, "a is of type string: write {a}"),
        ({"argv": ["p", "x{a...}"], "arguments": LIST}, "the place of a must be the whole word"),
        ({"argv": ["p", "{a?-x}"], "arguments": TEXT}, "needs a boolean argument"),
        ({"argv": ["p", "{a?}"], "arguments": SWITCH}, "needs a boolean argument and a word"),
        ({"argv": ["p"], "arguments": TEXT}, "arguments.a: stands neither in argv nor in stdin"),
        ({"argv": ["p"], "stdin": "a"}, 'stdin: there is no argument "a" of type string'),
        ({"argv": ["p", "{a}"], "arguments": TEXT, "stdin": "b"}, 'stdin: there is no argument "b"'),
        ({"argv": ["p", "{a}"], "arguments": {"a": {"pattern": "("}}}, "no regular expression"),
        ({"argv": ["p", "{a}"], "arguments": {"a": {"allow_dash": 1}}}, "allow_dash: must be true or false"),
        ({"argv": ["p", "{a}"], "arguments": {"a": {"typ": "string"}}}, 'did you mean "type"'),
        ({"argv": ["p"], "env": ["A B"]}, 'env: "A B" is no name of a variable'),
        ({"argv": ["p"], "env": ["AGENTCTL_HOME"]}, "env: AGENTCTL_HOME is agentctl's own"),
        ({"argv": ["p"], "env": ["agentctl_inside_tool=1"]}, "agentctl's own"),
        ({"argv": ["p"], "shell": True}, "shell: unknown"),
        ({"argv": "git log"}, "argv: must be a list"),
    ],
)
def test_a_wrong_config_is_refused_with_its_reason(
    services: Services, config: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError) as error:
        make_ready(Tool(slug="x", name="X", type="command", config=config), {}, services)
    assert message in error.value.message


@pytest.mark.parametrize(
    "argv",
    [
        ["sh", "-c", "grep {a} file"],
        ["/bin/bash", "-lc", "{a}"],
        ["env", "X=1", "bash", "-ec", "echo {a}"],
        ["python3", "-c", "print({a})"],
        ["python3.11", "-c", "{a}"],
        ["python3", "-c{a}"],
        ["node", "--no-warnings", "--eval={a}"],
        ["perl", "-ne", "print if /{a}/"],
        ["node", "--eval", "{a}"],
    ],
)
def test_an_argument_is_never_part_of_a_script(services: Services, argv: list[str]) -> None:
    config = {"argv": argv, "arguments": TEXT}
    with pytest.raises(ConfigError, match="would be code"):
        make_ready(Tool(slug="x", name="X", type="command", config=config), {}, services)


@pytest.mark.parametrize(
    "argv",
    [
        ["sh", "-c", 'grep -- "$1" f', "sh", "{a}"],
        ["bash", "{a}"],
        ["grep", "-c", "{a}"],
        ["python3", "tool.py", "--exclude={a}"],
    ],
)
def test_an_argument_behind_a_script_is_data(make: Any, argv: list[str]) -> None:
    assert make(argv=argv, arguments=TEXT).config.argv == tuple(argv)


def test_a_tool_without_argv_has_nothing_to_run(services: Services) -> None:
    with pytest.raises(ConfigError, match=r"config\.argv: is required"):
        make_ready(Tool(slug="x", name="X", type="command"), {}, services)


def test_the_model_sees_the_declared_arguments_and_the_command_line(make: Any) -> None:
    tool = make(
        argv=["git", "log", "-n{count}", "--", "{path}"],
        arguments={
            "count": {"type": "integer", "default": 10, "minimum": 1, "maximum": 50},
            "path": {"description": "A file.", "pattern": "[a-z/]+", "required": False, "allow_dash": True},
        },
    )
    assert tool.describe() == "Runs: git log '-n{count}' -- '{path}'. Gives stdout, stderr and the exit code."
    assert tool.arguments_schema() == {
        "type": "object",
        "properties": {
            "count": {
                "type": "integer",
                "description": "count",
                "minimum": 1,
                "maximum": 50,
                "default": 10,
            },
            "path": {
                "type": "string",
                "description": "A file.",
                "pattern": "^(?:[a-z/]+)$",
                "maxLength": 10_000,
            },
        },
        "additionalProperties": False,
    }


def test_what_changes_nothing_needs_no_approval(make: Any) -> None:
    asking, reading = make(argv=["p"]), make(argv=["p"], read_only=True)
    assert (asking.asks_first(), asking.find_risk(), asking.is_idempotent()) == (True, "execute", False)
    assert (reading.asks_first(), reading.find_risk(), reading.is_idempotent()) == (False, "read", True)
    assert make(argv=["p"], read_only=True, risk="execute").find_risk() == "execute"
