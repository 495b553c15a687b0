"""`agentctl attach`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from agentctl.cli.chat.flags import result_format
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl attach @last
  agentctl attach ar_mx2k1c0p --after 120 -o stream-json
  run=$(agentctl chat coder "tidy up" --detach); agentctl attach "$run\""""


@click.command("attach", cls=Command, epilog=EXAMPLES)
@click.argument("run", metavar="RUN|SESSION")
@click.option(
    "--after",
    type=click.IntRange(0),
    default=0,
    metavar="SEQ",
    help="Only what comes behind this number of -o stream-json; a part that it cuts comes again, whole.",
)
@result_format
@pass_app
def command(app: App, run: str, after: int, output_format: str) -> int:
    """Watch a run, from its beginning to its end.

    RUN is an id of a run or of its session, a part of one, or @last: the newest run that goes on, else the
    newest. It is shown as chat shows it, and the exit code is that of the run; where its process is gone, 75.
    Ctrl-C ends the watching, never the run.
    """
    show = partial(app.screen.renderer, output_format)
    return int(app.watching.attach(run, lambda final: show(final=final), after=after)["exit_code"])
