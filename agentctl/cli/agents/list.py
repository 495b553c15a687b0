"""`agentctl agents list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.domain.agent import Agent

COLUMNS = ("slug", "name", "is_default", "enabled", "default_model", "description", "tools")


def row(agent: Agent) -> dict[str, Any]:
    """An agent as a row."""
    return {
        "slug": agent.slug,
        "name": agent.name,
        "default_model": list(agent.default_model),
        "tools": [tool.slug for tool in agent.tools],
        "is_default": agent.is_default,
        "enabled": agent.enabled,
        "description": agent.description,
    }


@click.command("list", cls=Command, epilog="Example:\n  agentctl agents list -o json")
@click.option("--all", "show_all", is_flag=True, help="Disabled ones too.")
@format_option
@page_options
@pass_app
def command(app: App, show_all: bool, output_format: str | None, limit: int | None, page: int) -> None:
    """List the enabled agents."""
    app.provide_defaults()
    rows = [row(agent) for agent in app.store.agents.list() if agent.enabled or show_all]
    app.output(output_format).slice(rows, COLUMNS, limit=limit, page=page)
