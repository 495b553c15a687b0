"""`agentctl docs show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs show @last
  agentctl docs show 4f7k --rev 2 --raw
  agentctl docs show 4f7k -o json"""


@click.command("show", cls=Command, epilog=EXAMPLES)
@click.argument("given", metavar="ID")
@click.option("--raw", "part", flag_value="raw", help="The content as it is (default on a pipe).")
@click.option(
    "--rendered", "part", flag_value="rendered", help="Markdown made readable (default on a terminal)."
)
@click.option("--summary", "part", flag_value="summary", help="The summary alone.")
@click.option("--rev", type=click.IntRange(1), metavar="N", help="As it was in this revision.")
@format_option
@pass_app
def command(app: App, given: str, part: str | None, rev: int | None, output_format: str | None) -> None:
    """Show one document.

    Long ones go through $PAGER on a terminal. ID is whole, 4 or more characters of its start or end, or
    @last. Also shows what others shared with you.
    """
    if part and output_format:
        raise click.UsageError(f"give --{part} or -o, not both")
    app.docs.views.show(app.docs.user.read(given, rev), output_format, part)
