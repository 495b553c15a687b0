"""`agentctl usage`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import Since, format_option, page_options
from agentctl.domain.usage import GROUPS, Group, GroupUsage, Spent, format_usd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentctl.app import App

COLUMNS = ("requests", "input", "output", "cached", "reasoning", "cost_usd", "unpriced")
# A table has no room for it; there it stands in the last line.
APART = ("title_cost_usd",)
# Formats that show every number of a row.
WHOLE = ("json", "jsonl", "yaml")
EXAMPLES = """\
Examples:
  agentctl usage --since 7d
  agentctl usage --by day --agent coder -o csv
  agentctl usage --by session --since 2026-11-01 -o json"""


@click.command("usage", cls=Command, epilog=EXAMPLES)
@click.option("--by", type=click.Choice(GROUPS), default="model", help="What to add up (default: model).")
@click.option("--since", type=Since(), metavar="TIME", help="Only since then: 7d, 12h, or 2026-11-01 (UTC).")
@click.option("--agent", metavar="SLUG", help="Only requests of this agent.")
@format_option
@page_options
@pass_app
def command(
    app: App,
    by: str,
    since: int | None,
    agent: str | None,
    output_format: str | None,
    limit: int | None,
    page: int,
) -> None:
    """See what requests used and what they cost.

    Only your own requests are counted, with --by user too. `cost_usd` is the part that is known: `unpriced`
    requests have an unknown cost, and where nothing is known there is no cost at all, never 0. What titles
    and `models test` cost stands apart, because it is in no run's result. Days are days of UTC; requests of
    sessions that were deleted are still counted.
    """
    group = cast("Group", by)
    totals = app.store.usage.totals(app.user.id, group, since=since, agent=agent)
    is_terminal = app.streams.stdout_is_terminal
    is_table = output_format == "table" or (output_format is None and is_terminal)
    columns = (*COLUMNS, *(() if is_table else APART))
    rows = [total.as_dict(group) for total in totals]
    if output_format not in WHOLE:
        # Groups of titles and tests alone, whose columns are not shown.
        rows = [row for row in rows if any(row[column] for column in columns)]
    if is_table:
        rows = [_for_people(row) for row in rows]
    app.output(output_format).slice(rows, (group, *columns), limit=limit, page=page)
    if is_table and is_terminal and rows:
        app.output().text(_total_line(totals))


def _for_people(row: dict[str, Any]) -> dict[str, Any]:
    """Amounts without exponents, and a dash for what is unknown."""
    written = {key: format_usd(value) for key, value in row.items() if isinstance(value, float)}
    return {**{key: "-" if value is None else value for key, value in row.items()}, **written}


def _total_line(totals: Sequence[GroupUsage]) -> str:
    chat = sum((total.chat for total in totals), Spent())
    parts = [f"total: {chat.requests} requests, {chat.usage.input} tokens in, {chat.usage.output} out"]
    parts.append("cost unknown" if chat.cost_usd is None else f"{format_usd(chat.cost_usd)} USD")
    if chat.unpriced and chat.cost_usd is not None:
        parts.append(f"{chat.unpriced} requests of unknown cost")
    for name, apart in (
        ("titles", sum((total.title for total in totals), Spent())),
        ("tests", sum((total.test for total in totals), Spent())),
    ):
        if apart.cost_usd:
            parts.append(f"{name} {format_usd(apart.cost_usd)} USD apart")
    return ", ".join(parts)
