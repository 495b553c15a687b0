"""`agentctl providers delete`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import private_option
from agentctl.errors import Stopped

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = "Examples:\n  agentctl providers delete work\n  agentctl providers delete mine --private --yes"


@click.command("delete", cls=Command, epilog=EXAMPLES)
@click.argument("slugs", nargs=-1, required=True, metavar="SLUG...")
@private_option
@click.option("--yes", is_flag=True, help="Delete without asking.")
@pass_app
def command(app: App, slugs: tuple[str, ...], private: bool, yes: bool) -> None:
    """Delete providers that were made by hand.

    Says which models and agents name them before it asks. All of them go or none. Keys stay: see
    agentctl keys delete.
    """
    for line in app.provider_edits.describe_loss(slugs, private=private):
        app.streams.note(line)
    if not yes and not app.person.confirm("Delete?"):
        raise Stopped("nothing was deleted")
    app.provider_edits.delete(slugs, private=private)
