"""`agentctl docs archive`."""

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
  agentctl docs archive 4f7k
  agentctl docs list --until 2026-01-01 -o ids | agentctl docs archive -"""


@click.command("archive", cls=Command, epilog=EXAMPLES)
@ids_argument
@format_option
@pass_app
def command(app: App, given: tuple[str, ...], output_format: str | None) -> None:
    """Put documents out of the way.

    Lists, search and context leave them out; list --archived and show still find them. A pinned one is
    pinned no more; agentctl docs promote takes it back.
    """
    placed = app.docs.user.place(read_ids(app, given), "archive")
    app.output(output_format).rows(map(changed, placed), CHANGED)
