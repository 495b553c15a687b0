"""`agentctl docs promote`."""

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
  agentctl docs promote 4f7k 9qz2"""


@click.command("promote", cls=Command, epilog=EXAMPLES)
@ids_argument
@format_option
@pass_app
def command(app: App, given: tuple[str, ...], output_format: str | None) -> None:
    """Keep documents for good, neither archived nor pinned.

    What was bound to a session stays when that ends.
    """
    placed = app.docs.user.place(read_ids(app, given), "promote")
    app.output(output_format).rows(map(changed, placed), CHANGED)
