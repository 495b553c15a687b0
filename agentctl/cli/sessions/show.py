"""`agentctl sessions show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option
from agentctl.domain.ids import rfc3339

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("show", cls=Command, epilog="Example:\n  agentctl sessions show @last")
@click.argument("session", default="@last")
@format_option
@pass_app
def command(app: App, session: str, output_format: str | None) -> None:
    """Show one session.

    SESSION is an id, 4 or more characters of its start or end, or @last (the default).
    """
    found = app.store.sessions.find(app.user.id, session)
    runs = app.store.runs.list(found.id)
    app.output(output_format).one(
        {
            "id": found.id,
            "agent": found.agent,
            "title": found.title,
            "model": found.model,
            "enable_thinking": found.enable_thinking,
            "enable_tools": found.enable_tools,
            "created_at": rfc3339(found.created_at),
            "last_active_at": rfc3339(found.last_active_at),
            "runs": [
                {
                    "id": run.id,
                    "status": run.status,
                    "outcome": run.outcome,
                    "exit_code": run.exit_code,
                    "model": run.model,
                    "num_turns": run.num_turns,
                    "usage": run.usage.as_dict(),
                    "cost_usd": run.cost_usd,
                    "created_at": rfc3339(run.created_at),
                }
                for run in runs
            ],
        }
    )
