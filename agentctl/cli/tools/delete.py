"""`agentctl tools delete`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.errors import Stopped

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = "Examples:\n  agentctl tools delete quick\n  agentctl tools delete quick ids --yes"


@click.command("delete", cls=Command, epilog=EXAMPLES)
@click.argument("slugs", nargs=-1, required=True, metavar="SLUG...")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@pass_app
def command(app: App, slugs: tuple[str, ...], yes: bool) -> None:
    """Delete tools that no file declares.

    Those are the built-in ones and those that were made with a command. Says which agents lose them
    before it asks. All of them go or none. Conversations keep what the tools said.
    """
    for line in app.tool_edits.describe_loss(slugs):
        app.streams.note(line)
    if not yes and not app.person.confirm("Delete?"):
        raise Stopped("nothing was deleted")
    app.tool_edits.delete(slugs)
