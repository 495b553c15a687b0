"""`agentctl docs undelete`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.docs_rows import CHANGED, changed
from agentctl.cli.docs.arguments import ids_argument, read_ids
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs list --deleted
  agentctl docs undelete 4f7k2m9q"""


@click.command("undelete", cls=Command, epilog=EXAMPLES)
@ids_argument
@format_option
@pass_app
def command(app: App, given: tuple[str, ...], output_format: str | None) -> None:
    """Take deletes back.

    For 30 days; a document is then as it was, history and readers included.
    """
    back = app.docs.user.undelete(read_ids(app, given))
    app.output(output_format).rows(map(changed, back), CHANGED)
