"""The fields of a provider as options of the command line."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

KINDS = "How it is spoken to: openai (Chat Completions), openai-responses or anthropic (Messages)."
_OPTIONS = (
    click.option("--base-url", metavar="URL", help="Where requests go. Default: the kind's own place."),
    click.option("--api-key-env", metavar="VARIABLE", help="The environment variable that holds the key."),
    click.option(
        "--api-key-cmd", metavar="WORDS", help="A command that prints the key; run without a shell."
    ),
    click.option(
        "--header",
        "headers",
        multiple=True,
        metavar="NAME=VALUE",
        help="Sent with every request: text, env:VARIABLE or key:NAME. May be repeated.",
    ),
    click.option(
        "--option",
        "options",
        multiple=True,
        metavar="KEY=JSON",
        help="What is special about this provider. May be repeated.",
    ),
)


def field_options(function: F) -> F:
    """The options of `create` and `update`; `read_fields` takes their values."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def read_fields(
    *, api_key_cmd: str | None, headers: Iterable[str], options: Iterable[str], **texts: str | None
) -> dict[str, Any]:
    """The fields that were given, as they would stand in YAML. Raises click.UsageError."""
    fields: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
    if api_key_cmd is not None:
        fields["api_key_cmd"] = _split(api_key_cmd)
    named = {name: _read_header(value) for name, value in _pairs("--header", headers)}
    chosen = {key: _read_json(key, value) for key, value in _pairs("--option", options)}
    return {**fields, **({"headers": named} if named else {}), **({"options": chosen} if chosen else {})}


def _pairs(flag: str, texts: Iterable[str]) -> Iterable[tuple[str, str]]:
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            # The text is not quoted: it may be a secret.
            raise click.UsageError(f"{flag}: write NAME=VALUE")
        yield name, value


def _read_header(value: str) -> str | Mapping[str, str]:
    kind, colon, name = value.partition(":")
    return {kind: name} if colon and kind in ("env", "key") else value


def _read_json(key: str, value: str) -> Any:
    """JSON, or a bare word as text."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        if re.fullmatch(r"[A-Za-z_][\w.-]*", value):
            return value
    raise click.UsageError(f'--option {key}: write JSON, such as 5, true, "text" or \'{{"a": 1}}\'')


def _split(words: str) -> list[str]:
    try:
        return shlex.split(words)
    except ValueError as error:
        raise click.UsageError(f"--api-key-cmd: {str(error).lower()}") from None
