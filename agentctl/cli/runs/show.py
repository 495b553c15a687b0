"""`agentctl runs show`."""

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
  agentctl runs show @last
  agentctl runs show ar_mx2k1c0p -o json"""


@click.command("show", cls=Command, epilog=EXAMPLES)
@click.argument("run", default="@last")
@format_option
@pass_app
def command(app: App, run: str, output_format: str | None) -> None:
    """Show one run: its steps, calls, cost, and what to type next.

    RUN is an id, 4 or more characters of its start or end, or @last (the default). -o json has all of it.
    """
    shown = app.runs.describe(run)
    if output_format is None and app.streams.stdout_is_terminal:
        app.screen.show_run(shown)
        return
    app.output(output_format).one(shown)
