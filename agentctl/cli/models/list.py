"""`agentctl models list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options

if TYPE_CHECKING:
    from agentctl.app import App

COLUMNS = ("slug", "provider", "name", "context_window", "status")


@click.command("list", cls=Command, epilog="Example:\n  agentctl models list -o json")
@format_option
@page_options
@pass_app
def command(app: App, output_format: str | None, limit: int | None, page: int) -> None:
    """List the declared and embedded models.

    Any model of a known provider can be asked without being listed: -m provider/model.
    """
    declared = [
        {
            "slug": model.slug,
            "provider": model.provider,
            "name": model.name,
            "context_window": model.context_window,
            "status": "declared",
        }
        for model in app.store.models.list()
    ]
    rows = [*declared, *app.embedded_models()]
    app.output(output_format).slice(rows, COLUMNS, limit=limit, page=page)
