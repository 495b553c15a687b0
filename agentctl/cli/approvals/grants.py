"""`agentctl approvals grants`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options

if TYPE_CHECKING:
    from agentctl.app import App

COLUMNS = (
    "id",
    "agent",
    "tool",
    "action",
    "where",
    "uses_left",
    "reason",
    "created_at",
    "expires_at",
    "revoked_at",
)


@click.command("grants", cls=Command, epilog="Example:\n  agentctl approvals grants --all -o json")
@click.option("--all", "everything", is_flag=True, help="Also those that allow nothing any more.")
@format_option
@page_options
@pass_app
def command(app: App, everything: bool, output_format: str | None, limit: int | None, page: int) -> None:
    """List what was allowed ahead of time.

    Your own, newest first. An empty USES_LEFT or EXPIRES_AT means: without end.
    """
    rows = partial(app.grants.rows, everything=everything)
    app.output(output_format).page(
        lambda size, offset: rows(limit=size, offset=offset), COLUMNS, limit=limit, page=page
    )
