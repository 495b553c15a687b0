"""`agentctl approvals revoke`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.approvals.answer import read_ids
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl approvals revoke ag_mx2k1c0p_4f7k2m9q
  agentctl approvals grants -o ids | agentctl approvals revoke -"""


@click.command("revoke", cls=Command, epilog=EXAMPLES)
@click.argument("ids", nargs=-1, metavar="ID...")
@pass_app
def command(app: App, ids: tuple[str, ...]) -> None:
    """Take grants back.

    All of them or none. From then on they allow nothing; a call that has begun goes on. ID is a whole id or
    8 characters or more of it, - reads ids from stdin.
    """
    app.grants.revoke(read_ids(app, ids))
