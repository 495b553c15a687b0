"""`agentctl tools types`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.tool_shown import show_one
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

COLUMNS = ("type", "risk", "needs_approval", "detail", "description", "source")
EXAMPLES = "Examples:\n  agentctl tools types\n  agentctl tools types calculator -o json"


@click.command("types", cls=Command, epilog=EXAMPLES)
@click.argument("name", required=False)
@format_option
@pass_app
def command(app: App, name: str | None, output_format: str | None) -> None:
    """List the tool types, or show the settings and arguments of one.

    Types of installed packages are among them; DETAIL says why one of those cannot be used.
    """
    output = app.output(output_format)
    if name is None:
        output.rows(app.tool_views.types(), COLUMNS)
    else:
        show_one(output, app.tool_views.type(name), "config", "arguments")
