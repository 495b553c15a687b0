"""`agentctl docs purge`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.docs.arguments import ids_argument, read_ids
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.errors import Stopped

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs purge 4f7k2m9q
  agentctl docs list --deleted -o ids | agentctl docs purge - --yes"""


@click.command("purge", cls=Command, epilog=EXAMPLES)
@ids_argument
@click.option("--yes", is_flag=True, help="Remove without asking.")
@pass_app
def command(app: App, given: tuple[str, ...], yes: bool) -> None:
    """Remove deleted documents for good.

    With their history, and with the copies that tool calls and approvals hold; messages keep what was said
    in them. An ID is whole, or a part of 8 or more characters.
    """
    ids = app.docs.user.find_all(read_ids(app, given), surely=True, deleted=True)
    if not ids:
        return
    if not yes:
        app.streams.note(f"{len(ids)} deleted documents")
        if not app.person.confirm("Remove for good?"):
            raise Stopped("nothing was removed")
    app.streams.note(app.docs.user.purge(ids))
