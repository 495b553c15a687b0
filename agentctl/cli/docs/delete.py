"""`agentctl docs delete`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.docs.arguments import ids_argument, read_ids
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.errors import Stopped

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs delete 4f7k2m9q
  agentctl docs list --tag old -o ids | agentctl docs delete - --yes"""


@click.command("delete", cls=Command, epilog=EXAMPLES)
@ids_argument
@click.option("--yes", is_flag=True, help="Delete without asking.")
@click.option("--hard", is_flag=True, help="At once and for good: nothing is left to undelete.")
@pass_app
def command(app: App, given: tuple[str, ...], yes: bool, hard: bool) -> None:
    """Delete documents.

    Nobody finds them from then on; for 30 days agentctl docs undelete takes that back. All of them go or
    none. An ID is whole, or a part of 8 or more characters. --hard also blanks the copies that tool calls
    and approvals hold; messages keep what was said in them.
    """
    ids = app.docs.user.find_all(read_ids(app, given), surely=True)
    if not ids:
        return
    if not yes:
        for line in app.docs.user.describe(ids):
            app.streams.note(line)
        if not app.person.confirm("Delete for good?" if hard else "Delete?"):
            raise Stopped("nothing was deleted")
    app.streams.note(app.docs.user.delete(ids, hard=hard))
