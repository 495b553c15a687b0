"""`agentctl docs restore`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.docs_rows import changed
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs history 4f7k
  agentctl docs restore 4f7k --rev 2"""


@click.command("restore", cls=Command, epilog=EXAMPLES)
@click.argument("given", metavar="ID")
@click.option("--rev", type=click.IntRange(1), required=True, metavar="N", help="The revision to take back.")
@format_option
@pass_app
def command(app: App, given: str, rev: int, output_format: str | None) -> None:
    """Make an earlier revision of a document the newest.

    What stands there now is kept in the history.
    """
    app.output(output_format).one(changed(app.docs.user.restore(given, rev)))
