"""`agentctl providers show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("show", cls=Command, epilog="Example:\n  agentctl providers show openai -o json")
@click.argument("slug")
@format_option
@pass_app
def command(app: App, slug: str, output_format: str | None) -> None:
    """Show one provider, and where its key comes from.

    Your own comes before everybody's, and that before a built-in one. The key itself is never shown.
    """
    app.output(output_format).one(app.providers.show(slug))
