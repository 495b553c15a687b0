"""`agentctl models resolve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.model_views import show_resolution
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl models resolve coder
  agentctl models resolve coder -s @last -o json"""


@click.command("resolve", cls=Command, epilog=EXAMPLES)
@click.argument("agent")
@click.option("-s", "--session", metavar="ID", help="In this session (@last: the newest).")
@click.option("-m", "--model", metavar="MODEL", help="As if this were given to chat.")
@format_option
@pass_app
def command(app: App, agent: str, session: str | None, model: str | None, output_format: str | None) -> None:
    """Say which model an agent gets, and why.

    Every source in its order with the models it names, the one that decides marked; then the provider, where
    it is and whether its key is there, of the chosen model and of its fallbacks.
    """
    app.provide_defaults()
    show_resolution(app.output(output_format), app.models.resolve(agent, session, model))
