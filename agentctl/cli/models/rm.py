"""`agentctl models rm`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.errors import Stopped

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLE = "Example:\n  agentctl models rm smollm2-135m --yes"


@click.command("rm", cls=Command, epilog=EXAMPLE)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--yes", is_flag=True, help="Remove without asking.")
@pass_app
def command(app: App, names: tuple[str, ...], yes: bool) -> None:
    """Remove embedded models from this machine.

    A model that a server still runs stays: exit 10.
    """
    models = app.embedded.find_removable(names)
    if not yes and not app.person.confirm(f"Remove {', '.join(model.name for model in models)}?"):
        raise Stopped("nothing was removed")
    freed = app.embedded.remove(models)
    app.streams.note(f"freed {freed / 1e6:.0f} MB")
