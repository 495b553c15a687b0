"""`agentctl models show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("show", cls=Command, epilog="Example:\n  agentctl models show openai/gpt-4.1-mini")
@click.argument("model")
@format_option
@pass_app
def command(app: App, model: str, output_format: str | None) -> None:
    """Show one model and the provider behind it.

    MODEL is the slug of a declared model, or provider/model.
    """
    app.output(output_format).one(app.models.describe(model))
