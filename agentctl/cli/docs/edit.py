"""`agentctl docs edit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.docs_rows import changed
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs edit @last
  EDITOR=nano agentctl docs edit 4f7k"""


@click.command("edit", cls=Command, epilog=EXAMPLES)
@click.argument("given", metavar="ID")
@format_option
@pass_app
def command(app: App, given: str, output_format: str | None) -> None:
    """Change a document in your editor.

    Title, tags and summary stand before the text. The editor is $VISUAL or $EDITOR; what it leaves unchanged
    is not stored. Where somebody else changed the document meanwhile the difference is shown, exit code 10,
    and your text is kept in a file.
    """
    edited = app.docs.editing.edit(given)
    if edited is None:
        app.streams.note("nothing was changed")
    else:
        app.output(output_format).one(changed(edited))
