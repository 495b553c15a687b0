"""`agentctl keys list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options

if TYPE_CHECKING:
    from agentctl.app import App

COLUMNS = ("name", "origin", "providers", "held_back_from")


@click.command("list", cls=Command, epilog="Example:\n  agentctl keys list -o json")
@format_option
@page_options
@pass_app
def command(app: App, output_format: str | None, limit: int | None, page: int) -> None:
    """List the names of the keys that are kept, and who uses them.

    A key goes to the ORIGIN it was set for only; it is held back from providers that are somewhere else now.
    """
    app.output(output_format).slice(app.keys.list(), COLUMNS, limit=limit, page=page)
