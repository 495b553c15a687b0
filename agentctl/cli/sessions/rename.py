"""`agentctl sessions rename`."""

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
  agentctl sessions rename @last "Rice, and how to cook it"
  agentctl sessions rename 4f7k2m9q --auto"""


@click.command("rename", cls=Command, epilog=EXAMPLES)
@click.argument("session")
@click.argument("words", nargs=-1, metavar="[TITLE]...")
@click.option("--auto", is_flag=True, help="Have the agent's title model make one.")
@format_option
@pass_app
def command(app: App, session: str, words: tuple[str, ...], auto: bool, output_format: str | None) -> None:
    """Give a session another title.

    A title has at most 50 characters; what was made of the words is printed.

    SESSION is an id, 4 or more characters of its start or end, or @last.
    """
    if auto == bool(words):
        raise click.UsageError("give either a title or --auto")
    found = app.store.sessions.find(app.user.id, session)
    title = app.titles.make(found) if auto else app.titles.rename(found, " ".join(words))
    app.output(output_format).one({"id": found.id, "title": title})
