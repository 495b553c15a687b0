"""`agentctl runs list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, get_args

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import Since, format_option, page_options
from agentctl.domain.states import RunStatus

if TYPE_CHECKING:
    from agentctl.app import App

COLUMNS = (
    "id",
    "status",
    "agent",
    "prompt",
    "created_at",
    "num_turns",
    "cost_usd",
    "exit_code",
    "session_id",
)
EXAMPLES = """\
Examples:
  agentctl runs list --since 1d
  agentctl runs list --status awaiting_approval -o json
  agentctl runs list --status interrupted -o ids | xargs -n 1 agentctl resume"""


@click.command("list", cls=Command, epilog=EXAMPLES)
@click.option("--status", type=click.Choice(get_args(RunStatus)), help="Only runs in this state.")
@click.option("--agent", metavar="SLUG", help="Only runs of this agent.")
@click.option("--session", metavar="ID", help="Only runs of this session (@last: the newest).")
@click.option("--since", type=Since(), metavar="TIME", help="Only since then: 7d, 12h, or 2026-11-01 (UTC).")
@format_option
@page_options
@pass_app
def command(
    app: App,
    status: str | None,
    agent: str | None,
    session: str | None,
    since: int | None,
    output_format: str | None,
    limit: int | None,
    page: int,
) -> None:
    """List your runs, newest first.

    A run is queued, running, awaiting_approval, done, failed, aborted (somebody stopped it, or a time limit),
    or interrupted: its process is gone, and resume goes on with it.
    """
    fetch = app.runs.search(
        status=cast("RunStatus | None", status), agent=agent, session=session, since=since
    )
    app.output(output_format).page(fetch, COLUMNS, limit=limit, page=page)
