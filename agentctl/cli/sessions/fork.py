"""`agentctl sessions fork`."""

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
  agentctl sessions fork @last
  agentctl sessions fork 4f7k2m9q --up-to am_mx2k1c0p_7d3h5k1n
  agentctl chat -s "$(agentctl sessions fork @last -o ids)" "And if it rains?\""""


@click.command("fork", cls=Command, epilog=EXAMPLES)
@click.argument("session", default="@last")
@click.option("--up-to", metavar="MESSAGE", help="The last message to copy. Default: all that was said.")
@format_option
@pass_app
def command(app: App, session: str, up_to: str | None, output_format: str | None) -> None:
    """Copy a session, to go on with it in two ways.

    SESSION is an id, 4 or more characters of its start or end, or @last (the default). Messages, files and
    the results of calls are copied; what a run is still working on, and what was allowed for the whole
    session, is not. The copy is the newest session from then on.
    """
    found = app.store.sessions.find(app.user.id, session)
    with app.store.transaction():
        copy = app.store.forks.fork(app.user.id, found.id, up_to)
    app.output(output_format).one({"id": copy, "forked_from": found.id})
