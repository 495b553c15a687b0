"""`agentctl docs import`."""  # noqa: N999 (the file is named as the command)

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs import notes
  agentctl docs import documents.jsonl report.md -o json"""


COLUMNS = ("id", "outcome", "title", "source")


@click.command("import", cls=Command, epilog=EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="DIR|FILE...", type=click.Path())
@format_option
@pass_app
def command(app: App, files: tuple[str, ...], output_format: str | None) -> None:
    """Store the Markdown and JSON lines of files and folders.

    A file stands for the document with its id, else for the one that came from it: importing it again
    changes nothing, or what is new in it. OUTCOME is created, updated or unchanged. All of them are stored
    or, where anything is wrong, none. A folder is searched for .md, .markdown and .jsonl; hidden files are
    left out, and a link that leads out of it is refused.
    """
    with app.docs.progress("documents") as progress:
        done = app.docs.files.load(files, progress)
    for note in done.notes:
        app.streams.note(note)
    app.output(output_format).rows(done.rows, COLUMNS)
