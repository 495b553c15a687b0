"""`agentctl sessions title`."""

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
  agentctl sessions title --pending
  agentctl sessions title --pending --limit 20"""


@click.command("title", cls=Command, epilog=EXAMPLES)
@click.option("--pending", is_flag=True, required=True, help="For your sessions that have none.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Sessions at most.")
@format_option
@pass_app
def command(app: App, pending: bool, limit: int, output_format: str | None) -> None:
    """Make the titles that are missing.

    Newest session first; id and title of each are printed. A title is missing where its model did not answer
    in time. Each is one request to the agent's title model.
    """
    made = app.titles.make_pending(limit, app.streams.note)
    app.output(output_format).rows(
        [{"id": key, "title": title} for key, title in made.items()], ("id", "title")
    )
