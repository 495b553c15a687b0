"""`agentctl docs pin`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.docs_rows import CHANGED, changed
from agentctl.cli.docs.arguments import ids_argument, read_ids
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs pin @last"""


@click.command("pin", cls=Command, epilog=EXAMPLES)
@ids_argument
@format_option
@pass_app
def command(app: App, given: tuple[str, ...], output_format: str | None) -> None:
    """Put documents before the model in every run that remembers.

    Pinned documents together have room for 1,000 tokens (documents.pinned_tokens in YAML).
    """
    placed = app.docs.user.place(read_ids(app, given), "pin")
    app.output(output_format).rows(map(changed, placed), CHANGED)
