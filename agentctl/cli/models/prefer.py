"""`agentctl models prefer`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.models.choice import choice_arguments, read_choice

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = "Examples:\n  agentctl models prefer openai/gpt-4.1-mini\n  agentctl models prefer --unset"


@click.command("prefer", cls=Command, epilog=EXAMPLES)
@choice_arguments
@pass_app
def command(app: App, model: str | None, unset: bool) -> None:
    """Set the model that you want where a conversation names none.

    It is stronger than the default of any agent; -m, AGENTCTL_MODEL and the model of a session are stronger.
    """
    wanted = read_choice(model, unset)
    app.models.prefer(wanted)
    app.streams.note(f"{app.user.name} prefers {wanted}" if wanted else f"{app.user.name} prefers no model")
