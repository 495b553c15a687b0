"""`agentctl docs search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.app.docs_search import HIT_COLUMNS, hit_row
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import Since, format_option
from agentctl.domain.document import DOCUMENT_TYPES, REACHES, DocumentFilter

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs search rice cooking
  agentctl docs search '"brown rice" -risotto tag:food after:2026-01-01'
  agentctl docs search 做饭 --type memory --explain -o json"""


@click.command("search", cls=Command, epilog=EXAMPLES)
@click.argument("query", nargs=-1, required=True, metavar="QUERY...")
@click.option("--type", type=click.Choice(DOCUMENT_TYPES), help="Only this type.")
@click.option("--tag", metavar="TAG", help="Only with this tag.")
@click.option("--since", type=Since(), metavar="TIME", help="Only made since then: 7d, 12h, 2026-11-01.")
@click.option("--reach", type=click.Choice(REACHES), default="own", help="Also shared with you, or public.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, metavar="N", help="Hits. Default: 10.")
@click.option("--explain", is_flag=True, help="Say in which lists each hit stands, and where.")
@format_option
@pass_app
def command(
    app: App,
    /,
    query: tuple[str, ...],
    limit: int,
    explain: bool,
    output_format: str | None,
    **wanted: Any,
) -> None:
    """Find documents by what they say, best first.

    A query is words, "phrases", -not, tag:, type:, after: and before:; nothing in it is an error. In MATCH
    the found words stand in brackets.
    """
    found = app.docs.search.find(" ".join(query), DocumentFilter(**wanted), limit, explain=explain)
    columns = (*HIT_COLUMNS, "score", "why") if explain else HIT_COLUMNS
    app.output(output_format).rows(map(hit_row, found.hits), columns)
    if found.has_more:
        app.streams.note("there are more: --limit N")
