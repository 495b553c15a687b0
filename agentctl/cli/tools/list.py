"""`agentctl tools list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options

if TYPE_CHECKING:
    from agentctl.app import App

COLUMNS = (
    "slug",
    "type",
    "enabled",
    "ready",
    "needs_approval",
    "risk",
    "detail",
    "description",
    "source",
)


@click.command("list", cls=Command, epilog="Example:\n  agentctl tools list -o json")
@format_option
@page_options
@pass_app
def command(app: App, output_format: str | None, limit: int | None, page: int) -> None:
    """List the declared tools, and why one cannot be used.

    DETAIL says why a tool is not ready; the agents that have it go on without it. RISK is the worst that
    a call does: read, write, network or execute.
    """
    app.provide_defaults()
    app.output(output_format).slice(app.tool_views.rows(), COLUMNS, limit=limit, page=page)
