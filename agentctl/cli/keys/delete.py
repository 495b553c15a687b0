"""`agentctl keys delete`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.errors import Stopped

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("delete", cls=Command, epilog="Example:\n  agentctl keys delete openai --yes")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@pass_app
def command(app: App, names: tuple[str, ...], yes: bool) -> None:
    """Forget keys.

    Says which providers use them before it asks.
    """
    for row in app.keys.require(names):
        app.streams.note(f"key {row['name']}: used by {', '.join(row['providers']) or 'nobody'}")
    if not yes and not app.person.confirm("Delete?"):
        raise Stopped("nothing was deleted")
    app.keys.delete(names)
