"""`agentctl agents show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("show", cls=Command, epilog="Example:\n  agentctl agents show coder")
@click.argument("slug")
@format_option
@pass_app
def command(app: App, slug: str, output_format: str | None) -> None:
    """Show one agent."""
    app.provide_defaults()
    agent = app.store.agents.require(slug)
    app.output(output_format).one(
        {
            "slug": agent.slug,
            "name": agent.name,
            "description": agent.description,
            "system_prompt": agent.system_prompt,
            "default_model": list(agent.default_model),
            "title_model": agent.title_model,
            "title_strategy": agent.title_strategy,
            "enable_thinking": agent.enable_thinking,
            "enable_tools": agent.enable_tools,
            "max_step_count": agent.max_step_count,
            "is_default": agent.is_default,
            "is_callable": agent.is_callable,
            "sort_order": agent.sort_order,
            "enabled": agent.enabled,
            "options": dict(agent.options),
            "limits": agent.limits.as_dict(),
            "memory": agent.memory.as_dict(),
            "tools": [
                {"slug": tool.slug, "needs_approval": tool.needs_approval, "config": dict(tool.config)}
                for tool in agent.tools
            ],
            "source": agent.source,
        }
    )
