"""`agentctl plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import files_option, format_option
from agentctl.errors import ChangesPending

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("plan", cls=Command, epilog="Example:\n  agentctl plan --exit-code")
@files_option
@click.option("--prune", is_flag=True, help="Also show what apply --prune would delete.")
@click.option("--exit-code", is_flag=True, help="Exit 11 when there are changes.")
@format_option
@pass_app
def command(app: App, files: tuple[str, ...], prune: bool, exit_code: bool, output_format: str | None) -> int:
    """Show what apply would change.

    Changes are listed field by field, and so is every variable whose key would be sent somewhere.
    """
    plan = app.control.plan(app.control.read(files), prune=prune)
    app.screen.show_plan(plan, output_format)
    return ChangesPending.exit_code if exit_code and plan.changes else 0
