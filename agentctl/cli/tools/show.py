"""`agentctl tools show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.tool_shown import show_one
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = (
    "Examples:\n  agentctl tools show calculator -o json\n  agentctl tools show regex_tester --agent coder"
)


@click.command("show", cls=Command, epilog=EXAMPLES)
@click.argument("slug")
@click.option("--agent", metavar="AGENT", help="As this agent has it: with its config and its approval.")
@format_option
@pass_app
def command(app: App, slug: str, agent: str | None, output_format: str | None) -> None:
    """Show one tool, with the schema that models see.

    Its config is shown with all defaults. A null setting is left to the tool's type.
    """
    app.provide_defaults()
    show_one(app.output(output_format), app.tool_views.describe(slug, agent), "parameters")
