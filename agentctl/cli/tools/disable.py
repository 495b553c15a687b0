"""`agentctl tools disable`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("disable", cls=Command, epilog="Example:\n  agentctl tools disable uuid")
@click.argument("slugs", nargs=-1, required=True, metavar="SLUG...")
@pass_app
def command(app: App, slugs: tuple[str, ...]) -> None:
    """Take tools from their agents without deleting them.

    One that a file declares is switched there.
    """
    app.provide_defaults()
    app.tool_edits.switch(slugs, enabled=False)
