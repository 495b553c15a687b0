"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import click

from agentctl.domain.ids import now_ms

F = TypeVar("F", bound=Callable[..., Any])
_MOST_DOLLARS = 2**31 - 1


class Seconds(click.ParamType[float]):
    """A time: more than nothing, and not for ever."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number of seconds; anything else is a usage error."""
        from agentctl.domain.durations import parse_duration

        seconds = parse_duration(str(value))
        if seconds is None:
            self.fail(f"{value} is no time above 0 such as 90, 90s or 5m", param, ctx)
        return seconds


class Dollars(click.ParamType[float]):
    """An amount of money: more than nothing, and a number that can be counted up to."""

    name = "usd"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The amount in USD; anything else is a usage error."""
        try:
            amount = float(value)
        except ValueError:
            amount = 0.0
        # Neither holds for "nan".
        if not 0 < amount <= _MOST_DOLLARS:
            self.fail(f"{value} is no amount above 0 such as 0.25", param, ctx)
        return amount


class Since(click.ParamType[int]):
    """A point in time: so long ago, or a day or time of UTC."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Milliseconds UTC; anything else is a usage error."""
        if isinstance(value, int):
            return value
        # A bare number would be seconds, or a day without its dashes: too much to guess.
        from agentctl.domain.durations import parse_duration

        seconds = None if str(value)[-1:].isdigit() else parse_duration(str(value))
        if seconds is not None:
            return max(now_ms() - int(seconds * 1000), 0)
        # Only a date pays for this import.
        from datetime import UTC, datetime

        try:
            time = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value} is no time such as 7d, 12h, 2026-11-01 or 2026-11-01T08:00Z", param, ctx)
        return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1000)


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
    function = click.option(
        "--page", type=click.IntRange(1, 10**9), default=1, metavar="N", help="Which page, from 1."
    )(function)
    return click.option(
        "--limit",
        type=click.IntRange(1, 10**9),
        metavar="N",
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


def private_option(function: F) -> F:
    """`--private` of all commands that change models and providers."""
    return click.option(
        "--private", is_flag=True, help="The one that is yours alone; nobody else sees or uses it."
    )(function)


APPROVAL_FLAGS = (
    click.option(
        "--allow",
        multiple=True,
        metavar="RULE",
        help='Allow calls without a question: TOOL, TOOL:ACTION or "TOOL argument=pattern"; may be repeated.',
    ),
    click.option(
        "--deny", multiple=True, metavar="RULE", help="Deny calls, whatever allows them; may be repeated."
    ),
    click.option(
        "--on-approval",
        type=click.Choice(["ask", "pause", "deny", "fail"]),
        help="What becomes of a call that needs a person: ask (pause where nobody can be asked), pause "
        "(exit 4), deny, or fail the run (both exit 3).",
    ),
)


def approval_flags(function: F) -> F:
    """What decides on tool calls, besides `--yes`."""
    for flag in reversed(APPROVAL_FLAGS):
        function = flag(function)
    return function


def split_pairs(pairs: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names and values of `--arg NAME=VALUE`; anything else is a usage error."""
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise click.UsageError(f"--arg {pair}: write NAME=VALUE")
        yield name, value
