"""`agentctl docs context`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.docs_search import PIECE_COLUMNS, context_object, context_rows
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs context --query 'What does Ann drink?'
  agentctl docs context --query rice --budget 500 --explain
  agentctl docs context -o json"""


@click.command("context", cls=Command, epilog=EXAMPLES)
@click.option(
    "--query", default="", metavar="TEXT", help="What is asked. Default: nothing, so pinned ones only."
)
@click.option(
    "--budget",
    type=click.IntRange(1, 10**6),
    default=1500,
    show_default=True,
    metavar="N",
    help="Estimated tokens that it may take.",
)
@click.option("--explain", is_flag=True, help="A line for each part, and for what was left out.")
@format_option
@pass_app
def command(app: App, query: str, budget: int, explain: bool, output_format: str | None) -> None:
    """Show what of your documents would be put before a model.

    Pinned ones first, then what fits the question. -o json has the text, its parts and what was left out.
    """
    context = app.docs.search.recall(query, budget)
    if explain:
        app.output(output_format).rows(context_rows(context), PIECE_COLUMNS)
    elif output_format:
        app.output(output_format).one(context_object(context))
    else:
        app.docs.views.show_context(context)
    app.streams.note(f"{context.tokens} of {context.budget} tokens, {len(context.left_out)} left out")
