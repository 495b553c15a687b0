"""`agentctl tools show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option
from agentctl.cli.tools.list import row

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("show", cls=Command, epilog="Example:\n  agentctl tools show calculator -o json")
@click.argument("slug")
@format_option
@pass_app
def command(app: App, slug: str, output_format: str | None) -> None:
    """Show one tool, with the schema that models see."""
    app.provide_defaults()
    tool = app.store.tools.require(slug)
    app.output(output_format).one(
        {**row(tool), "config": dict(tool.config), **app.tools.describe(tool), "source": tool.source}
    )
