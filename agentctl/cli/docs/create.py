"""`agentctl docs create`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.docs_rows import changed
from agentctl.cli.docs.arguments import read_source
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option
from agentctl.domain.document import DOCUMENT_TYPES

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs create report.md --tags work,2026
  git log --oneline -20 | agentctl docs create - --title "What happened" -o json
  echo "Ann likes tea." | agentctl docs create --type memory --title Tea"""


@click.command("create", cls=Command, epilog=EXAMPLES)
@click.argument("source", default="-", metavar="[FILE|-]")
@click.option("--type", type=click.Choice(DOCUMENT_TYPES), help="Default: document.")
@click.option("--title", metavar="TEXT", help="Default: made by the agent's title strategy.")
@click.option("--tags", metavar="A,B", help="Tags with commas between.")
@click.option("--summary", metavar="TEXT", help="Default: the first 200 characters.")
@click.option("--agent", metavar="AGENT", help="Whose title strategy it is. Default: the default agent.")
@format_option
@pass_app
def command(
    app: App,
    /,
    source: str,
    type: str | None,  # noqa: A002
    title: str | None,
    tags: str | None,
    summary: str | None,
    agent: str | None,
    output_format: str | None,
) -> None:
    """Store a text as a document.

    Prints its id. Front matter (title, tags, summary, type) counts where no option says otherwise. A memory
    that says what another one says already gives the id of that one.
    """
    text = read_source(app, source)
    given = {"type": type, "title": title, "tags": tags, "summary": summary}
    created = app.docs.new.create(text, source, given, agent)
    if created.existing:
        app.streams.note("note: a memory says this already")
    app.output(output_format or "ids").one({**changed(created.document), "existing": created.existing})
