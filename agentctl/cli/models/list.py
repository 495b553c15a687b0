"""`agentctl models list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options

if TYPE_CHECKING:
    from agentctl.app import App

COLUMNS = (
    "slug",
    "provider",
    "name",
    "context_window",
    "input_price",
    "output_price",
    "declared",
    "status",
)
CHOICE = ("slug", "choice", "reason", *COLUMNS[3:])
EXAMPLES = """\
Examples:
  agentctl models list -o json
  agentctl models list --agent coder         which it gets first, and what else it could use
  agentctl models list --all                 with every model of the catalogue"""


@click.command("list", cls=Command, epilog=EXAMPLES)
@click.option("--agent", metavar="AGENT", help="What this agent could use now, the chosen ones numbered.")
@click.option("--all", "every", is_flag=True, help="With every model of the catalogue.")
@format_option
@page_options
@pass_app
def command(
    app: App, agent: str | None, every: bool, output_format: str | None, limit: int | None, page: int
) -> None:
    """List the declared and embedded models.

    Any model of a known provider can be asked without being listed: -m provider/model. Prices are USD per
    million tokens.
    """
    if agent is None:
        rows, columns = app.models.rows(every=every), COLUMNS
    else:
        app.provide_defaults()
        rows, columns = app.models.rows_for(app.store.agents.require(agent), every=every), CHOICE
    app.output(output_format).slice(rows, columns, limit=limit, page=page)
