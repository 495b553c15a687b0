"""`agentctl docs export`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.docs.arguments import read_ids
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs export --dir notes
  agentctl docs export -o jsonl >documents.jsonl
  agentctl docs list --tag work -o ids | agentctl docs export - --dir work"""


@click.command("export", cls=Command, epilog=EXAMPLES)
@click.argument("given", nargs=-1, metavar="[ID]...")
@click.option(
    "--dir", "folder", type=click.Path(), metavar="D", help="Write Markdown files into this folder."
)
@click.option(
    "-o", "--format", "output_format", type=click.Choice(["jsonl"]), help="JSON lines on stdout (default)."
)
@pass_app
def command(app: App, given: tuple[str, ...], folder: str | None, output_format: str | None) -> None:
    """Write documents to files, or as JSON lines.

    Without an ID all of your own, archived ones too. agentctl docs import reads them again without loss.
    Prints id, title and path of each file.
    """
    if folder and output_format:
        raise click.UsageError("give --dir or -o jsonl, not both")
    ids = app.docs.user.find_all(read_ids(app, given)) if given else None
    if folder:
        app.output().rows(app.docs.files.export(ids, folder), ("id", "title", "path"))
    else:
        app.output("jsonl").rows(app.docs.files.export_lines(ids), ("id",))
