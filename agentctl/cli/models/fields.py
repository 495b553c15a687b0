"""The facts about a model as options of `models create` and `models update`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


_OPTIONS = (
    click.option("--name", metavar="NAME", help="What the provider calls it (default: the slug)."),
    click.option("--context-window", type=int, metavar="TOKENS", help="What fits into one request."),
    click.option("--max-output-tokens", type=int, metavar="TOKENS", help="What one answer may have."),
    click.option("--input-price", type=float, metavar="USD", help="For a million tokens of input."),
    click.option("--output-price", type=float, metavar="USD", help="For a million tokens of output."),
    click.option(
        "--cached-input-price",
        type=float,
        metavar="USD",
        help="For a million tokens of input that its cache had.",
    ),
    click.option("--inputs", metavar="KINDS", help="What it reads: image, pdf, image,pdf or none."),
    click.option(
        "--option",
        "options",
        multiple=True,
        metavar="KEY=JSON",
        help="For every request; may be repeated.",
    ),
)


def fact_options(function: F) -> F:
    """One option for each key of a model in YAML, but `slug` and `provider`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def read_facts(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, as YAML would hold them."""
    fields = {name: value for name, value in given.items() if value not in (None, ())}
    if "inputs" in fields:
        words = fields["inputs"].split(",")
        fields["inputs"] = [] if words == ["none"] else [word.strip() for word in words]
    if "options" in fields:
        fields["options"] = _read_options(fields["options"])
    return fields


def _read_options(pairs: Sequence[str]) -> dict[str, Any]:
    options = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not name or not equals:
            raise click.UsageError(f"--option {pair}: write KEY=JSON, such as temperature=0.2")
        try:
            options[name] = json.loads(text)
        except ValueError:
            # A bare word is text, as in YAML.
            options[name] = text
    return options
