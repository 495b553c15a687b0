"""The config of the tool type `command`: the program, its arguments, and what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from agentctl.domain.value import value
from agentctl.tools.base import Fault, ToolConfig
from agentctl.tools.command.template import check_words, named, parse_words
from agentctl.tools.declared import DeclaredArguments, read_arguments

ALLOW_DASH = "allow_dash"
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# What agentctl looks for about itself; nothing of it reaches a program.
OWN_PREFIX = "AGENTCTL_"


@value
class CommandConfig(ToolConfig):
    """What is run. Everything that a model may vary stands under `arguments`."""

    argv: tuple[str, ...] = field(
        default=(),
        metadata={
            "description": "The program and its words; {name} stands for an argument, {name...} for a whole "
            "list, {name?--flag} for --flag where a boolean is true; a brace is written {{ or }}.",
            "max_items": 200,
            "security": True,
        },
    )
    arguments: Mapping[str, Any] = field(
        default_factory=dict,
        metadata={
            "description": "What the model may give: name: {type, description, enum, pattern, max_length, "
            "default, required, allow_dash}.",
            "security": True,
        },
    )
    stdin: str | None = field(
        default=None,
        metadata={"description": "The argument that the program reads on stdin.", "security": True},
    )
    cwd: str = field(
        default=".",
        metadata={
            "description": "The folder it runs in: absolute, or relative to the folder of the run.",
            "min_length": 1,
            "security": True,
        },
    )
    env: tuple[str, ...] = field(
        default=(),
        metadata={
            "description": "Environment variables besides PATH, HOME, language and time zone: NAME passes "
            "one on, NAME=text sets it.",
            "security": True,
        },
    )
    ok_codes: tuple[int, ...] = field(
        default=(0,), metadata={"description": "The exit codes that are no failure.", "min_items": 1}
    )
    max_bytes: int = field(
        default=100_000,
        metadata={
            "description": "Bytes of stdout, and as many of stderr, that are kept.",
            "minimum": 100,
            "maximum": 5_000_000,
        },
    )
    read_only: bool = field(
        default=False,
        metadata={
            "description": "The program changes nothing, so nobody is asked before it runs.",
            "security": True,
        },
    )


def declared_arguments(config: CommandConfig) -> tuple[DeclaredArguments, list[Fault]]:
    """The arguments a model may give, and what is wrong with their declarations."""
    plain = {
        name: {key: each for key, each in given.items() if key != ALLOW_DASH}
        if isinstance(given, Mapping)
        else given
        for name, given in config.arguments.items()
    }
    return read_arguments(plain)


def may_begin_with_dash(config: CommandConfig) -> frozenset[str]:
    """The arguments whose values may look like options: declared so, or choices of the config itself."""
    return frozenset(
        name for name, given in config.arguments.items() if given.get(ALLOW_DASH) or "enum" in given
    )


def check_config(config: CommandConfig) -> Iterator[Fault]:
    """Everything that is wrong with a config whose keys are right each by itself."""
    if not config.argv:
        yield Fault("argv", "is required: the program and its words")
    arguments, faults = declared_arguments(config)
    yield from faults
    yield from _dash_faults(config.arguments)
    yield from _variable_faults(config.env)
    words, messages = parse_words(config.argv)
    if messages or faults:
        yield from (Fault("argv", message) for message in messages)
        return
    kinds = {entry.name: entry.shape.kind for entry in arguments.entries}
    yield from (Fault("argv", message) for message in check_words(words, kinds))
    if config.stdin is not None and kinds.get(config.stdin) not in ("string", "enum"):
        yield Fault("stdin", f'there is no argument "{config.stdin}" of type string')
    for name in kinds.keys() - named(words) - {config.stdin}:
        yield Fault(("arguments", name), "stands neither in argv nor in stdin")


def find_variables(config: CommandConfig) -> list[str]:
    """The names of the environment variables that are passed on."""
    return [name for name in config.env if "=" not in name]


def _dash_faults(arguments: Mapping[str, Any]) -> Iterator[Fault]:
    for name, given in arguments.items():
        if isinstance(given, Mapping) and not isinstance(given.get(ALLOW_DASH, False), bool):
            yield Fault(("arguments", str(name), ALLOW_DASH), "must be true or false")


def _variable_faults(variables: tuple[str, ...]) -> Iterator[Fault]:
    for variable in variables:
        name, _, text = variable.partition("=")
        if not VARIABLE.fullmatch(name):
            yield Fault("env", f'"{name[:60]}" is no name of a variable; write NAME or NAME=text')
        elif name.upper().startswith(OWN_PREFIX):
            yield Fault("env", f"{name} is agentctl's own and no business of a program")
        elif "\0" in text:
            yield Fault("env", f"{name} holds a NUL character")
