"""`agentctl docs update`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.app.docs_rows import changed
from agentctl.cli.docs.arguments import read_source
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option
from agentctl.domain.document import DOCUMENT_TYPES, DocumentChange

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs update 4f7k --title Rice --tags food,做饭
  agentctl docs update 4f7k --content report.md
  date | agentctl docs update @last --append -"""


@click.command("update", cls=Command, epilog=EXAMPLES)
@click.argument("given", metavar="ID")
@click.option("--title", metavar="TEXT", help="Another title.")
@click.option("--content", metavar="FILE|-", help="Another content.")
@click.option("--append", metavar="FILE|-", help="Put this on a line of its own after the content.")
@click.option("--tags", metavar="A,B", help='Other tags; "" for none.')
@click.option("--summary", metavar="TEXT", help='Another summary; "" for the first 200 characters.')
@click.option("--type", type=click.Choice(DOCUMENT_TYPES), help="Make it a memory, or a document.")
@format_option
@pass_app
def command(
    app: App,
    /,
    given: str,
    content: str | None,
    append: str | None,
    output_format: str | None,
    **fields: Any,
) -> None:
    """Change a document.

    Only what is given changes, and what it said is kept; agentctl docs history shows it. New content
    without a summary gets a new one.
    """
    if content is not None and append is not None:
        raise click.UsageError("give --content or --append, not both")
    if all(each is None for each in (content, append, *fields.values())):
        raise click.UsageError("nothing to change: give an option")
    change = DocumentChange(
        content=None if content is None else read_source(app, content),
        append=None if append is None else read_source(app, append),
        **fields,
    )
    app.output(output_format).one(changed(app.docs.user.update(given, change)))
