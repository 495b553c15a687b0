"""`agentctl docs stats`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.docs_rows import stats_row
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs stats
  agentctl docs stats -o json"""


@click.command("stats", cls=Command, epilog=EXAMPLES)
@format_option
@pass_app
def command(app: App, output_format: str | None) -> None:
    """Count your documents.

    TOTAL leaves deleted ones out. CONTENT_CHARS is what they say now, VERSION_CHARS what they said before.
    """
    app.output(output_format).one(stats_row(app.docs.user.stats()))
