"""The fields of a tool as options of the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--name", metavar="NAME", help="The name that people read. Default: the slug."),
    click.option("--description", metavar="TEXT", help="What models read. Default: the type's own text."),
    click.option(
        "--config",
        multiple=True,
        metavar="KEY=JSON",
        help="A setting, or several as a JSON object. May be repeated.",
    ),
    click.option(
        "--needs-approval/--no-needs-approval",
        default=None,
        help="Ask a person before each call, or do not. Default: as the type says.",
    ),
)


def field_options(function: F) -> F:
    """The options of `create` and `update`; `read_fields` takes their values."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def read_fields(*, config: Iterable[str], **given: Any) -> dict[str, Any]:
    """The fields that were given, as they would stand in YAML. Raises click.UsageError."""
    fields = {name: value for name, value in given.items() if value is not None}
    settings: dict[str, Any] = {}
    for text in config:
        settings.update(_read_settings(text))
    return {**fields, "config": settings} if settings else fields


def _read_settings(text: str) -> dict[str, Any]:
    if text.lstrip().startswith("{"):
        try:
            found: dict[str, Any] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise click.UsageError(f"--config: this is no JSON: {error}") from None
        return found
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise click.UsageError(f"--config {text}: write KEY=JSON, such as timeout=5, or a JSON object")
    try:
        return {key: json.loads(value)}
    except (ValueError, RecursionError):
        # What is no JSON is text, as in YAML.
        return {key: value}
