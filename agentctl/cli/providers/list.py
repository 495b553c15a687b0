"""`agentctl providers list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options

if TYPE_CHECKING:
    from agentctl.app import App

COLUMNS = ("slug", "kind", "base_url", "key", "key_present", "source")


@click.command("list", cls=Command, epilog="Example:\n  agentctl providers list -o json")
@format_option
@page_options
@pass_app
def command(app: App, output_format: str | None, limit: int | None, page: int) -> None:
    """List the providers that can be asked, and whether their keys are there.

    SOURCE is the file that declares it, or: built in, by hand, private. No key is shown, and no command run.
    """
    app.output(output_format).slice(app.providers.list(), COLUMNS, limit=limit, page=page)
