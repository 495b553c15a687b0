"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class Seconds(click.ParamType[float]):
    """A time: more than nothing, and not for ever."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number; anything else is a usage error."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < float("inf"):
            self.fail(f"{value} is no number of seconds above 0", param, ctx)
        return seconds


FORMATS = ("table", "json", "jsonl", "yaml", "csv", "ids")


def format_option(function: F) -> F:
    """`-o FORMAT` of every reading command."""
    return click.option(
        "-o",
        "--format",
        "output_format",
        type=click.Choice(FORMATS),
        help="Output format. Default: a table on a terminal, tab-separated lines on a pipe.",
    )(function)


def page_options(function: F) -> F:
    """`--limit N` and `--page K` of every list."""
    function = click.option("--page", type=click.IntRange(1, 10**9), default=1, help="Which page, from 1.")(
        function
    )
    return click.option(
        "--limit",
        type=click.IntRange(1, 10**9),
        help="Rows a page. Default: 50 in a table on a terminal or with --page, else all.",
    )(function)


def files_option(function: F) -> F:
    """`-f FILE|DIR` of the control plane."""
    return click.option(
        "-f",
        "--file",
        "files",
        multiple=True,
        metavar="FILE|DIR",
        type=click.Path(),
        help="Read this file or folder; may be repeated. Default: agents.yaml and tools.yaml here.",
    )(function)
