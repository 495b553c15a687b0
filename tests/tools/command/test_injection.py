"""Whatever an argument holds, it stays one argument: nothing is split, expanded or taken for an option."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from tests.tools.command.conftest import SHOW

NASTY = [
    "two words",
    "  spaces around  ",
    "'single' \"double\" `back`",
    "$(touch pwned) ${HOME} $HOME",
    "; touch pwned",
    "| touch pwned && touch pwned &",
    "> pwned",
    "line\nbreak\r\ntab\t",
    "*.py ?[a-z] ~ ~root {a,b}",
    "back\\slash \\n",
    "\x1b[2J\x07",
    "你好 世界 👩\u200d👩\u200d👧 ñ",
    "%s %n {0} {name} {{}}",
    "!history #comment",
    "a=b",
    "@file",
    "",
    "x" * 9_999,
]


@pytest.mark.parametrize("value", NASTY, ids=range(len(NASTY)))
def test_one_argument_stays_one_word_byte_for_byte(run: Any, tmp_path: Any, value: str) -> None:
    config = {"argv": [sys.executable, "-c", SHOW, "{a}", "--x={a}", "end"], "arguments": {"a": {}}}
    result = run(config, a=value)
    assert result.success, result.error
    assert json.loads(result.data["stdout"]) == [[value, f"--x={value}", "end"], ""]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [*NASTY, "-rf", "nul \0 in it", "y" * 500_000], ids=range(len(NASTY) + 3))
def test_stdin_takes_everything(run: Any, value: str) -> None:
    config = {
        "argv": [
            sys.executable,
            "-X",
            "utf8",
            "-c",
            "import sys; print(ascii(sys.stdin.buffer.read().decode()))",
        ],
        "arguments": {"a": {"max_length": 500_000}},
        "stdin": "a",
        "max_bytes": 5_000_000,
    }
    assert run(config, a=value).data["stdout"] == ascii(value) + "\n"


def test_a_dash_behind_an_empty_value_is_a_dash_at_the_start(run: Any) -> None:
    config = {"argv": ["echo", "{a}{b}"], "arguments": {"a": {"allow_dash": True}, "b": {}}}
    assert run(config, a="", b="-rf").error.startswith('wrong arguments: b: "-rf" begins with a dash')
    assert run(config, a="-n", b="-rf").success
    assert run(config, a="x", b="-rf").data["stdout"] == "x-rf\n"


@pytest.mark.parametrize("value", ["-rf", "--exec=evil", "-", "--"])
def test_a_value_that_looks_like_an_option_is_refused(run: Any, value: str) -> None:
    config = {"argv": ["echo", "{a}"], "arguments": {"a": {}}}
    assert run(config, a=value).error == (
        f'wrong arguments: a: "{value}" begins with a dash and would be taken for an option'
    )


@pytest.mark.parametrize(
    ("argv", "arguments", "values", "printed"),
    [
        (["echo", "--", "{a}"], {"a": {}}, {"a": "-x"}, "-- -x"),
        (["echo", "{a}"], {"a": {"allow_dash": True}}, {"a": "-x"}, "-x"),
        (["echo", "{a}"], {"a": {"enum": ["-x", "-y"]}}, {"a": "-y"}, "-y"),
        (["echo", "--a={a}"], {"a": {}}, {"a": "-x"}, "--a=-x"),
        (["echo", "{a...}", "--", "{a...}"], {"a": {"type": "array"}}, {"a": []}, "--"),
    ],
)
def test_a_dash_is_no_danger_where_the_template_says_so(
    run: Any, argv: list[str], arguments: Any, values: Any, printed: str
) -> None:
    assert run({"argv": argv, "arguments": arguments}, **values).data["stdout"] == f"{printed}\n"


@pytest.mark.parametrize(
    ("argv", "kind", "value"),
    [
        (["echo", "{a}{a}"], "string", "-x"),
        (["echo", "{a}.txt"], "string", "-x"),
        (["echo", "{a}"], "integer", -5),
        (["echo", "{a...}"], "array", ["fine", "-x"]),
        (["echo", "{a}", "--"], "string", "-x"),
    ],
)
def test_a_dash_is_refused_wherever_a_value_begins_a_word(
    run: Any, argv: list[str], kind: str, value: Any
) -> None:
    result = run({"argv": argv, "arguments": {"a": {"type": kind}}}, a=value)
    assert "begins with a dash" in result.error


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a\0b", "an argument holds a NUL character"),
        ("half \ud800", "half of a surrogate pair"),
        ("x" * 10_001, "at most 10,000 characters"),
        (7, "must be text"),
        (None, "must be text"),
    ],
)
def test_what_no_program_can_be_given_never_gets_to_it(run: Any, value: Any, message: str) -> None:
    result = run({"argv": ["echo", "{a}"], "arguments": {"a": {}}}, a=value)
    assert result.error.startswith("wrong arguments: ")
    assert message in result.error


def test_more_than_the_system_takes_is_an_error_that_says_so(run: Any) -> None:
    config = {"argv": ["echo", "{a}"], "arguments": {"a": {"max_length": 3_000_000}}}
    assert run(config, a="x" * 3_000_000).error == (
        "the arguments are longer than this system can hand to a program"
    )


@pytest.mark.parametrize("value", ["abc\n", "ABC", "abc;ls", "", "\nabc"])
def test_a_pattern_has_to_fit_the_whole_value(run: Any, value: str) -> None:
    result = run({"argv": ["echo", "{a}"], "arguments": {"a": {"pattern": "[a-z]+"}}}, a=value)
    assert "must match [a-z]+" in result.error


def test_choices_types_and_unknown_arguments_are_checked_together(run: Any) -> None:
    config = {
        "argv": ["echo", "{a}", "{n}"],
        "arguments": {"a": {"enum": ["one", "two"]}, "n": {"type": "integer", "maximum": 9}},
    }
    assert run(config, a="three", n=10, m=1).error == (
        'wrong arguments: m: unknown; a: must be one of one, two, not "three"; n: must be at most 9, not 10'
    )


def test_a_program_in_the_folder_of_the_run_is_not_found_on_a_relative_path(
    run: Any, tmp_path: Any, variables: dict[str, str]
) -> None:
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\necho pwned\n")
    program.chmod(0o755)
    variables["PATH"] = f".:{tmp_path.name}::" + variables["PATH"]
    result = run({"argv": ["git", "--version"]})
    assert "pwned" not in str(result.as_dict())
