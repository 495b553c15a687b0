"""`agentctl approvals show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = (
    "Examples:\n  agentctl approvals show ap_mx2k1c0p_4f7k2m9q\n  agentctl approvals show 4f7k2m9q -o json"
)


@click.command("show", cls=Command, epilog=EXAMPLES)
@click.argument("given", metavar="ID")
@format_option
@pass_app
def command(app: App, given: str, output_format: str | None) -> None:
    """Show one call whole, and who decided on it.

    On a terminal characters that could hide something are spelt out. ID is a whole id or 8 characters or
    more of it.
    """
    app.screen.show_approval(app.approvals.describe(given), output_format)
