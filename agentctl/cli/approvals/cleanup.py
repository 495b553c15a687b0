"""`agentctl approvals cleanup`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.approvals.list import COLUMNS
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = "Examples:\n  agentctl approvals cleanup\n  agentctl approvals cleanup -o json"


@click.command("cleanup", cls=Command, epilog=EXAMPLES)
@click.option("--session", metavar="ID", help="Only those of this session: its id, or 8 characters or more.")
@format_option
@pass_app
def command(app: App, session: str | None, output_format: str | None) -> None:
    """Close questions that nobody can answer any more.

    Those that expired, and those whose agent or tool is gone: each call gets a denied result, and a run that
    waits for nothing else is aborted, so that its session is free. Lists what it closed; may be repeated.
    """
    app.output(output_format).rows(app.approvals.clean_up(session), COLUMNS)
