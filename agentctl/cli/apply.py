"""`agentctl apply`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import files_option
from agentctl.errors import Stopped

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("apply", cls=Command, epilog="Examples:\n  agentctl apply\n  agentctl apply --yes --prune")
@files_option
@click.option("--prune", is_flag=True, help="Delete what an earlier apply of these files created.")
@click.option("--dry-run", is_flag=True, help="Only show the plan.")
@click.option("--yes", is_flag=True, help="Apply without asking.")
@pass_app
def command(app: App, files: tuple[str, ...], prune: bool, dry_run: bool, yes: bool) -> None:
    """Make the database match the YAML files.

    The plan is shown, a question asked (unless --yes), and everything is written in one transaction or not
    at all. --prune deletes only what these files created earlier and hold no more.
    """
    declared = app.control.read(files)
    plan = app.control.plan(declared, prune=prune)
    if dry_run or (plan.changes and not yes):
        app.screen.show_plan(plan)
    if dry_run:
        return
    if plan.changes and not yes and not app.person.confirm("Apply these changes?"):
        raise Stopped("nothing was applied")
    applied = app.control.apply(declared, prune=prune, confirmed=None if yes else plan)
    if yes or not plan.changes:
        app.screen.show_plan(applied)
    if applied.changes:
        app.streams.note("applied")
