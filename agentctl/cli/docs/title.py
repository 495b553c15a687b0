"""`agentctl docs title`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.docs.arguments import ids_argument, read_ids
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.domain.agent import TitleStrategy

EXAMPLES = """\
Examples:
  agentctl docs title 4f7k
  agentctl docs list --type memory -o ids | agentctl docs title - --strategy first-line"""


@click.command("title", cls=Command, epilog=EXAMPLES)
@ids_argument
@click.option(
    "--strategy",
    type=click.Choice(["llm", "first-line"]),
    help="Ask the title model of the default agent, or take the first heading or line. "
    "Default: as that agent does.",
)
@format_option
@pass_app
def command(
    app: App, given: tuple[str, ...], strategy: TitleStrategy | None, output_format: str | None
) -> None:
    """Give documents new titles.

    Id and title of each are printed. With llm each is one request; the first heading or line stands in where
    the model fails.
    """
    ids = app.docs.user.find_all(read_ids(app, given))
    with app.docs.progress("titles") as progress:
        titled = app.docs.titles.retitle(app.docs.user, ids, strategy, progress)
    rows = [{"id": each.id, "title": each.title} for each in titled]
    app.output(output_format).rows(rows, ("id", "title"))
