"""`agentctl docs reindex`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs reindex
  agentctl docs reindex --resume"""


@click.command("reindex", cls=Command, epilog=EXAMPLES)
@click.option("--resume", is_flag=True, help="Only what an interrupted one, or an older agentctl, left.")
@pass_app
def command(app: App, resume: bool) -> None:
    """Build the search index of all documents anew.

    Every write keeps the index up to date, so this is for one that was damaged. Documents can be found and
    written meanwhile.
    """
    with app.docs.progress("documents") as progress:
        done = app.docs.search.rebuild(progress, resume=resume)
    app.streams.note(f"indexed {done} documents")
