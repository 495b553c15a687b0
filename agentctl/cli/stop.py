"""`agentctl stop`."""

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
  agentctl stop @last
  agentctl stop ar_mx2k1c0p -o json
  agentctl stop --all"""


@click.command("stop", cls=Command, epilog=EXAMPLES)
@click.argument("run", metavar="[RUN|SESSION]", required=False)
@click.option("--all", "everything", is_flag=True, help="All your runs that go on or wait.")
@format_option
@pass_app
def command(app: App, run: str | None, everything: bool, output_format: str | None) -> None:
    """End a run from any process.

    RUN is an id of a run or of its session, a part of one, or @last: the newest run that goes on, else the
    newest. What was said is kept, and the process that worked on it exits 130. Of a run that waits for
    approval nothing waits any more. Prints the run and its state once it has ended.
    """
    if everything == (run is not None):
        raise click.UsageError("give either a run or --all")
    app.output(output_format).rows(app.watching.stop(run), ("id", "status"))
