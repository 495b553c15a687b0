"""`agentctl approvals list`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, get_args

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options
from agentctl.domain.approval import ApprovalStatus

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl approvals list
  agentctl approvals list --status pending -o json
  agentctl approvals list --session @last"""
COLUMNS = (
    "id",
    "kind",
    "agent",
    "tool",
    "action",
    "arguments",
    "why",
    "status",
    "created_at",
    "expires_at",
    "run_id",
    "session_id",
)


@click.command("list", cls=Command, epilog=EXAMPLES)
@click.option("--status", type=click.Choice(get_args(ApprovalStatus)), help="Only those in this state.")
@click.option("--session", metavar="ID", help="Only those of this session.")
@format_option
@page_options
@pass_app
def command(
    app: App,
    status: str | None,
    session: str | None,
    output_format: str | None,
    limit: int | None,
    page: int,
) -> None:
    """List the calls that wait for a person, and those that did.

    Those that wait come first, then the newest. KIND is call where a call asks whether it may run, unknown
    where the process died while it ran. A question that nobody answers expires at EXPIRES_AT.
    """
    rows = partial(app.approvals.rows, status=status, session=session)
    app.output(output_format).page(
        lambda size, offset: rows(limit=size, offset=offset), COLUMNS, limit=limit, page=page
    )
