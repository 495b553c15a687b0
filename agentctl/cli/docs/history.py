"""`agentctl docs history`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.docs_rows import version_row
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs history 4f7k
  agentctl docs show 4f7k --rev 2"""


COLUMNS = ("rev", "created_at", "type", "title", "tags", "content_chars", "untrusted", "summary")


@click.command("history", cls=Command, epilog=EXAMPLES)
@click.argument("given", metavar="ID")
@format_option
@pass_app
def command(app: App, given: str, output_format: str | None) -> None:
    """List what a document said before.

    Newest first; the first line is what it says now.
    """
    app.output(output_format).rows(map(version_row, app.docs.user.history(given)), COLUMNS)
