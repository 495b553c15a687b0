"""`agentctl tools list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.domain.tool import Tool

COLUMNS = ("slug", "name", "type", "needs_approval", "enabled", "description")


def row(tool: Tool) -> dict[str, Any]:
    """A tool as a row; `needs_approval` null means: as its type says."""
    return {
        "slug": tool.slug,
        "name": tool.name,
        "type": tool.type,
        "needs_approval": tool.needs_approval,
        "enabled": tool.enabled,
        "description": tool.description,
    }


@click.command("list", cls=Command, epilog="Example:\n  agentctl tools list -o json")
@format_option
@page_options
@pass_app
def command(app: App, output_format: str | None, limit: int | None, page: int) -> None:
    """List the declared tools."""
    app.provide_defaults()
    app.output(output_format).slice(list(map(row, app.store.tools.list())), COLUMNS, limit=limit, page=page)
