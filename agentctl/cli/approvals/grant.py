"""`agentctl approvals grant`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import Seconds, format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl approvals grant --agent reporter --tool mail:send --where to=team@example.com --uses 7 --expires 7d
  agentctl approvals grant --agent default --tool deploy --where "host=*.staging.example.com" \\
      --reason "nightly job\""""


@click.command("grant", cls=Command, epilog=EXAMPLES)
@click.option("--agent", required=True, metavar="AGENT", help="The agent whose calls are allowed.")
@click.option("--tool", required=True, metavar="TOOL[:ACTION]", help="The tool, or one action of it.")
@click.option(
    "--where",
    multiple=True,
    metavar="ARG=GLOB",
    help="Only calls with such an argument (* stops at /, ** does not); may be repeated.",
)
@click.option("--uses", type=click.IntRange(1, 10**9), metavar="N", help="So many calls. Default: no limit.")
@click.option("--expires", type=Seconds(), metavar="TIME", help="For so long, e.g. 7d. Default: no limit.")
@click.option("--reason", metavar="TEXT", help="What it is for; shown in lists.")
@format_option
@pass_app
def command(
    app: App,
    agent: str,
    tool: str,
    where: tuple[str, ...],
    uses: int | None,
    expires: float | None,
    reason: str | None,
    output_format: str | None,
) -> None:
    """Allow calls ahead of time, for runs that nobody watches.

    A call that would ask is allowed instead, by a run of yours with this agent, and uses the grant up once. A
    deny rule is stronger. An action in approval_required_actions has to be named.
    """
    row, warning = app.grants.add(agent, tool, _read_where(where), uses=uses, seconds=expires, reason=reason)
    if warning:
        app.streams.note(f"warning: {warning}")
    app.output(output_format).one(row)


def _read_where(given: tuple[str, ...]) -> dict[str, str]:
    where: dict[str, str] = {}
    for text in given:
        path, equals, pattern = text.partition("=")
        if not path or not equals:
            raise click.UsageError(f'--where "{text}" is not ARG=GLOB')
        if path in where:
            raise click.UsageError(f'--where names "{path}" twice')
        where[path] = pattern
    return where
