"""`agentctl docs diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs diff 4f7k
  agentctl docs diff 4f7k --rev 2"""


@click.command("diff", cls=Command, epilog=EXAMPLES)
@click.argument("given", metavar="ID")
@click.option(
    "--rev", type=click.IntRange(1), metavar="N", help="Since this revision. Default: the last change."
)
@pass_app
def command(app: App, given: str, rev: int | None) -> None:
    """Show what changed in a document.

    A unified diff; nothing where nothing changed.
    """
    app.docs.views.show_diff(app.docs.user.diff(given, rev))
