"""`agentctl models default`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.models.choice import choice_arguments, read_choice

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = "Examples:\n  agentctl models default anthropic/claude-sonnet-5\n  agentctl models default --unset"


@click.command("default", cls=Command, epilog=EXAMPLES)
@choice_arguments
@pass_app
def command(app: App, model: str | None, unset: bool) -> None:
    """Set the model for everybody where nothing else names one.

    The same as `default_model:` at the top of a YAML file; whichever is set later holds.
    """
    wanted = read_choice(model, unset)
    app.models.set_default(wanted)
    app.streams.note(f"the global default is {wanted}" if wanted else "there is no global default")
