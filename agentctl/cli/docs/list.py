"""`agentctl docs list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.app.docs_rows import COLUMNS, row
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import Since, format_option, page_options
from agentctl.domain.document import DOCUMENT_TYPES, REACHES, TIERS, DocumentFilter

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs list --type memory --since 7d
  agentctl docs list --tag work --query rice -o json
  agentctl docs list --tag old -o ids | agentctl docs delete - --yes"""


@click.command("list", cls=Command, epilog=EXAMPLES)
@click.option("--type", type=click.Choice(DOCUMENT_TYPES), help="Only this type.")
@click.option("--tag", metavar="TAG", help="Only with this tag.")
@click.option("--query", metavar="TEXT", help="Only with this text in title or content, word for word.")
@click.option("--since", type=Since(), metavar="TIME", help="Only made since then: 7d, 12h, 2026-11-01.")
@click.option("--until", type=Since(), metavar="TIME", help="Only made before then.")
@click.option("--session", metavar="SESSION", help="Only from this session.")
@click.option("--tier", type=click.Choice(TIERS), help="Only of this tier.")
@click.option("--archived", is_flag=True, help="Those that were archived.")
@click.option("--deleted", is_flag=True, help="Those that were deleted and can be taken back.")
@click.option("--reach", type=click.Choice(REACHES), default="own", help="Also shared with you, or public.")
@click.option("--sort", type=click.Choice(["created", "updated"]), default="created", help="Newest by what.")
@format_option
@page_options
@pass_app
def command(
    app: App,
    /,
    session: str | None,
    output_format: str | None,
    limit: int | None,
    page: int,
    **wanted: Any,
) -> None:
    """List your documents, newest first.

    Archived and deleted ones are left out. Says on stderr how many there are.
    """
    output = app.output(output_format)
    size = output.page_size(limit, page)
    found = app.docs.user.page(DocumentFilter(**wanted, page=page, page_size=size), session)
    output.rows(map(row, found.items), COLUMNS)
    app.streams.note(f"{len(found.items)} of {found.total}")
